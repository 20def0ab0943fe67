/** Finds and focuses fields in the form of an ask. Only this file depends on how the form is marked up. */

const QUESTION = "fieldset[data-question]";
/** The fields that hold an answer; not the filter of a long list. */
const FIELD = ":is(input:not([type=search]), textarea)";

/** What a pointer can send an answer with: the choices, and the button that submits. */
const CONTROL = "input[data-choice], button[type=submit]";

export function controlsIn(form: HTMLElement | null): Element[] {
  return [...(form?.querySelectorAll(CONTROL) ?? [])];
}

export function controlAt(target: EventTarget | null): Element | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest(CONTROL) ?? target.closest("label")?.querySelector(CONTROL) ?? undefined;
}

export function submitButton(form: HTMLElement | null): HTMLElement | undefined {
  return form?.querySelector<HTMLElement>("button[type=submit]") ?? undefined;
}

export function choiceIn(form: HTMLElement | null, question_id: string, choice: string): Element | undefined {
  const place = form?.querySelector(`[data-question="${CSS.escape(question_id)}"]`);
  return place?.querySelector(`input[data-choice="${CSS.escape(choice)}"]`) ?? undefined;
}

/** The field of Other, if Other is chosen and nothing is written yet: what is typed now is meant for it. */
export function emptyOther(form: HTMLElement | null, from: Element, other: string): HTMLElement | undefined {
  const place = from.closest(QUESTION) ?? form;
  const name = CSS.escape(other);
  const fieldset = place?.querySelector(`input[data-choice="${name}"]:checked`)?.closest(QUESTION);
  const field = fieldset?.querySelector<HTMLTextAreaElement>(`textarea[data-choice="${name}"]`);
  return field && field.value === "" && !field.readOnly ? field : undefined;
}

export function questionIdAt(element: Element | null): string | undefined {
  return element?.closest("[data-question]")?.getAttribute("data-question") ?? undefined;
}

/** The fieldset of the question that an element belongs to, or the first one of the form. */
export function fieldsetAt(form: HTMLFormElement | null, element?: Element): Element | undefined {
  return element?.closest(QUESTION) ?? form?.querySelector(QUESTION) ?? undefined;
}

/** Focuses the first field of a question and brings the question into view; by default, the first question. */
export function focusQuestion(form: HTMLFormElement | null, question_id?: string): void {
  const question = question_id === undefined ? "[data-question]" : `[data-question="${CSS.escape(question_id)}"]`;
  const place = form?.querySelector<HTMLElement>(question);
  place?.querySelector<HTMLElement>(FIELD)?.focus({ preventScroll: true });
  const isTall = place && place.offsetHeight > window.innerHeight / 2;
  place?.scrollIntoView({ block: isTall ? "start" : "center" });
}

export function focusFirstField(container: Element | null | undefined, options?: FocusOptions): void {
  container?.querySelector<HTMLElement>(FIELD)?.focus(options);
}

export function focusChoice(fieldset: Element, choice: string, kind: "input" | "textarea"): void {
  fieldset.querySelector<HTMLElement>(`${kind}[data-choice="${CSS.escape(choice)}"]`)?.focus();
}

/** Presses a button of the card that also has a key. */
export function pressButton(form: HTMLFormElement | null, name: "note" | "reply"): void {
  form?.querySelector<HTMLElement>(`[data-action=${name}]`)?.click();
}

/** Leaves a text field for the choices of its question, or of the first one. */
export function leaveText(form: HTMLFormElement | null, field: HTMLElement): void {
  const choice = (field.closest("fieldset") ?? form)?.querySelector<HTMLElement>("input:not([type=search])");
  if (choice) choice.focus();
  else field.blur();
}

/** Goes from the filter of a list to the first option that is left. */
export function focusFirstMatch(filter: HTMLElement): void {
  filter.closest("fieldset")?.querySelector<HTMLElement>("input:not([type=search])")?.focus();
}

function focusAnswer(fieldset: Element | undefined): boolean {
  const field =
    fieldset?.querySelector<HTMLElement>("input:checked") ?? fieldset?.querySelector<HTMLElement>(FIELD) ?? undefined;
  field?.focus({ preventScroll: true });
  fieldset?.scrollIntoView({ block: "nearest" });
  return field !== undefined;
}

/** Moves to the next or previous question, and from the last one to the submit button. */
export function focusNext(form: HTMLFormElement | null, from: Element, by: 1 | -1): void {
  const fieldsets = [...(form?.querySelectorAll(QUESTION) ?? [])];
  const current = from.closest(QUESTION);
  const next = fieldsets[current ? fieldsets.indexOf(current) + by : 0];
  if (!focusAnswer(next) && by > 0) submitButton(form)?.focus();
}

/** Moves to the first question after this one that still needs an answer. Stays if there is none. */
export function focusNextOpen(form: HTMLFormElement | null, from: Element): void {
  const fieldsets = [...(form?.querySelectorAll(QUESTION) ?? [])];
  const current = from.closest(QUESTION);
  const after = fieldsets.slice(current ? fieldsets.indexOf(current) + 1 : 0);
  focusAnswer(after.find((fieldset) => fieldset.hasAttribute("data-open")));
}
