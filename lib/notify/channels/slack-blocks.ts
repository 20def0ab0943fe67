import type { KnownBlock, View } from "@slack/web-api";
import { z } from "zod";
import type { NotificationTexts } from "../../../i18n/notifications.ts";
import type { Ask, AskQuestion } from "../../domain/ask.ts";
import { QUESTION_TYPES } from "../../domain/question-types.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import { type Choice, choicesOf, oneClickChoices, oneLine } from "../content.ts";
import type { MessageItem } from "../message.ts";

// How a question looks in Slack, and what comes back. What a button or a form belongs to travels in its own value: Parley
// keeps nothing about it.

/** A button that only opens a page. Slack tells us about it all the same. */
export const OPEN_ACTION = "open";
const MAX_BUTTONS = 5;
const MAX_FIELDS = 20;
/** More options than this do not fit a list of radio buttons or checkboxes. */
const MAX_LISTED = 10;
const MAX_OPTIONS = 100;
/** Slack takes 2,000 characters in the value of a button. */
const MAX_VALUE = 1_900;

/** What a click or a form is about: the ask, as it was shown, and the option. */
export const Reference = z.object({
  c: z.string(),
  t: z.string(),
  h: z.string(),
  o: z.string().nullable(),
});

export function referenceTo({ conversation_id, tool_use_id, content_hash }: Ask, option_id: string | null): string {
  return JSON.stringify({ c: conversation_id, t: tool_use_id, h: content_hash, o: option_id });
}

/** How a question can be answered in Slack: the choices of a single click, a form, or only the page. */
export type Way = { buttons: Choice[]; hasForm: boolean };

/**
 * Only on the page: follow-ups, what cannot be undone, and what does not fit. A single click if that is the whole answer, and
 * a form for everything else.
 */
export function wayToAnswer(ask: Ask, texts: NotificationTexts): Way {
  const { questions, irreversible } = ask;
  const isTooMuch =
    questions.length > MAX_FIELDS ||
    questions.some(({ parent, options }) => parent || options.length > MAX_OPTIONS) ||
    referenceTo(ask, "x".repeat(300)).length > MAX_VALUE;
  if (irreversible || isTooMuch) return { buttons: [], hasForm: false };
  const choices = oneClickChoices(ask, texts);
  if (!choices || choices.length > MAX_BUTTONS) return { buttons: [], hasForm: true };
  return { buttons: choices, hasForm: questions[0]?.allow_other ?? false };
}

/** A form with one field for each question, and one more where other words are allowed. */
export function modalOf({ ask, agent }: MessageItem, texts: NotificationTexts): View {
  const blocks = ask.questions.flatMap((question, nth): KnownBlock[] => {
    const { isWritten } = QUESTION_TYPES[question.type];
    const text = oneLine(question.text, 1_900);
    const label = { type: "plain_text" as const, text: oneLine(question.header || texts.question, 100), emoji: false };
    return [
      { type: "section", text: { type: "plain_text", text, emoji: false } },
      ...(isWritten
        ? []
        : [
            {
              type: "input" as const,
              block_id: `q${nth}`,
              optional: !question.required || question.allow_other,
              label,
              element: choiceOf(question, texts),
            },
          ]),
      ...(isWritten || question.allow_other
        ? [
            {
              type: "input" as const,
              block_id: `t${nth}`,
              optional: !isWritten || !question.required,
              label: isWritten ? label : { ...label, text: texts.other },
              element: { type: "plain_text_input" as const, action_id: "text", multiline: true, max_length: 3_000 },
            },
          ]
        : []),
    ];
  });
  return {
    type: "modal",
    callback_id: "answer",
    private_metadata: referenceTo(ask, null),
    title: { type: "plain_text", text: oneLine(agent, 24) || "Parley", emoji: false },
    submit: { type: "plain_text", text: texts.submit, emoji: false },
    blocks,
  };
}

function choiceOf(question: AskQuestion, texts: NotificationTexts) {
  const options = choicesOf(question, texts).map(({ label }, nth) => ({
    value: String(nth),
    text: { type: "plain_text" as const, text: oneLine(label, 75) || "–", emoji: false },
  }));
  const { isMany } = QUESTION_TYPES[question.type];
  const action_id = "choice";
  if (options.length > MAX_LISTED)
    return isMany
      ? { type: "multi_static_select" as const, action_id, options }
      : { type: "static_select" as const, action_id, options };
  return isMany
    ? { type: "checkboxes" as const, action_id, options }
    : { type: "radio_buttons" as const, action_id, options };
}

const Field = z.object({
  value: z.string().nullish(),
  selected_option: z.object({ value: z.string() }).nullish(),
  selected_options: z.array(z.object({ value: z.string() })).nullish(),
});
export const FormState = z.object({ values: z.record(z.string(), z.record(z.string(), Field)) });

/** The filled-in fields, by question. An empty field is not an answer. */
export function answersIn({ questions }: Ask, { values }: z.infer<typeof FormState>): Record<string, AnswerInput> {
  const answers: Record<string, AnswerInput> = {};
  questions.forEach((question, nth) => {
    const { choices, submit } = QUESTION_TYPES[question.type];
    const choice = values[`q${nth}`]?.choice;
    const text = values[`t${nth}`]?.text?.value?.trim() || null;
    const chosen = [choice?.selected_option, ...(choice?.selected_options ?? [])].flatMap((one) => one?.value ?? []);
    const option_ids = chosen.flatMap((one) => choices(question)[Number(one)]?.id ?? []);
    if (option_ids.length > 0 || text !== null) answers[question.question_id] = submit({ option_ids, text });
  });
  return answers;
}
