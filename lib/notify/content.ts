import type { Language } from "../../i18n/languages.ts";
import { NOTIFICATION_TEXTS, type NotificationTexts } from "../../i18n/notifications.ts";
import type { Ask } from "../domain/ask.ts";
import { QUESTION_TYPES } from "../domain/question-types.ts";
import { answersText, deciderOf } from "../domain/views/answer-text.ts";
import { cutTo } from "../protocol/characters.ts";
import type { Question } from "../protocol/question.ts";
import type { Message, MessageItem } from "./message.ts";

// What a message says, as plain text. Whatever comes from an agent is one line without control characters: no channel can
// be made to show something else by it. Markup is escaped where a channel has any.

const QUESTION_MAX = 240;
/** How many questions a digest shows. */
export const LISTED = 5;

export type Content = {
  title: string;
  /** The question, or how it ended. */
  body: string;
  /** The labels of the options, for channels that have room. */
  options: string[];
  url: string;
};

export function contentOf(message: Message): Content {
  const { items, count, isShort, language, event } = message;
  const [first] = items;
  const texts = NOTIFICATION_TEXTS[language];
  if (count > 1) {
    const lines = items.map((item) => `• ${lineOf(texts, item, isShort)}`);
    const more = count - lines.length;
    return {
      title: texts.several(count),
      body: [...lines, ...(more > 0 ? [texts.more(more)] : [])].join("\n"),
      options: [],
      url: message.inboxUrl,
    };
  }
  const agent = oneLine(first.agent, 60);
  const title = event === "settled" ? settledLine(texts, first, isShort) : texts.title[event](agent);
  const options = isShort ? [] : optionsOf(first);
  return { title, body: questionOf(texts, first, isShort), options, url: first.url };
}

/** One line, without anything that moves text around. */
export function oneLine(text: string, max: number): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, " ");
  return cutTo(plain.replace(/\s+/g, " ").trim(), max);
}

function lineOf(texts: NotificationTexts, item: MessageItem, isShort: boolean): string {
  return `${oneLine(item.agent, 60)}: ${questionOf(texts, item, isShort, 120)}`;
}

function questionOf(texts: NotificationTexts, { ask, space_name }: MessageItem, isShort: boolean, max = QUESTION_MAX) {
  if (isShort) return texts.waiting(space_name === null ? null : oneLine(space_name, 60));
  const top = ask.questions.filter(({ parent }) => !parent);
  const text = oneLine(top[0]?.text ?? "", max);
  return top.length > 1 ? `${text} ${texts.andMore(top.length - 1)}` : text;
}

function settledLine(texts: NotificationTexts, { ask }: MessageItem, isShort: boolean): string {
  const { result } = ask;
  if (!result) return texts.settled.cancelled(null);
  const decider = deciderOf(result);
  const by = decider.kind === "person" ? oneLine(decider.name, 60) : null;
  const answer = isShort ? null : answersText(result);
  return texts.settled[result.outcome](by, answer === null ? null : oneLine(answer, 100));
}

function optionsOf({ ask }: MessageItem): string[] {
  const top = ask.questions.filter(({ parent }) => !parent);
  return top.length === 1 ? (top[0]?.options ?? []).map(({ label }) => oneLine(label, 100)) : [];
}

/** The options to show as buttons, if one click is a complete answer; otherwise undefined. */
export function oneClickChoices({ questions, irreversible }: Ask, texts: NotificationTexts): Choice[] | undefined {
  const [only, ...others] = questions;
  if (!only || others.length > 0 || irreversible) return undefined;
  const { isMany } = QUESTION_TYPES[only.type];
  const choices = choicesOf(only, texts);
  return isMany || choices.length === 0 ? undefined : choices;
}

export type Choice = { id: string; label: string };

/** The options of a question; those of yes or no in the reader's language. */
export function choicesOf(question: Question, { yes, no }: NotificationTexts): Choice[] {
  const { choices, hasOptions } = QUESTION_TYPES[question.type];
  return choices(question).map(({ id, label }) => ({ id, label: hasOptions ? label : id === "true" ? yes : no }));
}

export function testTexts(language: Language) {
  return NOTIFICATION_TEXTS[language].test;
}
