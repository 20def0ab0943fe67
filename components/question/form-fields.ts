/** Finds and focuses fields in the form of an ask. Only this file depends on how the form is marked up. */

const QUESTION = "fieldset[data-question]";

export function questionIdAt(element: Element | null): string | undefined {
  return element?.closest("[data-question]")?.getAttribute("data-question") ?? undefined;
}

/** The fieldset of the question that an element belongs to, or the first one of the form. */
export function fieldsetAt(form: HTMLFormElement | null, element?: Element): Element | undefined {
  return element?.closest(QUESTION) ?? form?.querySelector(QUESTION) ?? undefined;
}

/** Focuses the first field of a question; by default, of the first question. */
export function focusQuestion(form: HTMLFormElement | null, question_id?: string): void {
  const question = question_id === undefined ? "[data-question]" : `[data-question="${CSS.escape(question_id)}"]`;
  form?.querySelector<HTMLElement>(`${question} :is(input, textarea)`)?.focus();
}

export function focusFirstField(container: Element | null | undefined, options?: FocusOptions): void {
  container?.querySelector<HTMLElement>("input, textarea")?.focus(options);
}

export function focusChoice(fieldset: Element, choice: string, kind: "input" | "textarea"): void {
  fieldset.querySelector<HTMLElement>(`${kind}[data-choice="${CSS.escape(choice)}"]`)?.focus();
}

export function openNote(fieldset: Element | undefined): void {
  fieldset?.querySelector<HTMLElement>("[data-note]")?.click();
}

/** Leaves a text field for the choices of its question. */
export function leaveText(field: HTMLElement): void {
  const choice = field.closest("fieldset")?.querySelector<HTMLElement>("input");
  if (choice) choice.focus();
  else field.blur();
}

/** Moves to the next or previous question, and from the last one to the submit button. */
export function focusNext(form: HTMLFormElement | null, from: Element, by: 1 | -1): void {
  const fieldsets = [...(form?.querySelectorAll(QUESTION) ?? [])];
  const current = from.closest(QUESTION);
  const next = fieldsets[current ? fieldsets.indexOf(current) + by : 0];
  const field =
    next?.querySelector<HTMLElement>("input:checked") ?? next?.querySelector<HTMLElement>("input, textarea");
  (field ?? (by > 0 ? form?.querySelector<HTMLElement>("button[type=submit]") : undefined))?.focus();
}
