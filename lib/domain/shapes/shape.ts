import type { CheckedAnswer } from "../../protocol/answer.ts";
import type { Result } from "../../protocol/ask.ts";
import type { Ask, AskQuestion } from "../ask.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { checkedAnswer } from "../question-types.ts";
import type { ParsedAsk, ParseState } from "./parse.ts";

/** How one kind of agent asks its questions and reads their answers. */
export type AgentShape = {
  /** The agent's own name for its question tool. A call by that name has this shape, whatever its fields are. */
  toolName?: string;
  /** Whether the fields of a call are those of this shape. */
  matches: (call: ParseState) => boolean;
  /** Turns the call into questions. */
  read: (call: ParseState) => ParsedAsk;
  /** The answers as an object in this shape. */
  write: (ask: AnsweredAsk) => JsonObject;
  /** The same for an ask that a person replied to in words: the words in the place that this shape has for them. */
  writeReply: (ask: AnsweredAsk, reply: string) => JsonObject;
  /** Whether the agent's model reads the answers as a sentence. Otherwise it reads the object as JSON. */
  inWords: boolean;
  /** What an imported result says about the nth question, or undefined if it says nothing. */
  readBack: (imported: ImportedAnswers, nth: number) => unknown;
  /** Whether labels name options in answers, because the agent could not give ids. */
  takesLabels: boolean;
  /** Whether the agent continues without an answer at the deadline. */
  goesOnAlone?: (input: JsonObject) => boolean;
};

export type AnsweredAsk = Pick<Ask, "input" | "questions">;

/** For agents that have no place for a reply: every question without an answer has the words as its Other text. */
export function replyAsOther(ask: AnsweredAsk, reply: string): AnsweredAsk {
  return withReply(ask, (question) => checkedAnswer(question, { value: null, chosen: [], text: reply }, null));
}

/** The same as a note, for agents that tell notes from answers. */
export function replyAsNote(ask: AnsweredAsk, reply: string): AnsweredAsk {
  return withReply(ask, (question) => checkedAnswer(question, { value: null, chosen: [], text: null }, reply));
}

function withReply(ask: AnsweredAsk, answerTo: (question: AskQuestion) => CheckedAnswer): AnsweredAsk {
  const by = { kind: "person", name: "reply", surface: "system" } as const;
  const questions = ask.questions.map((question) =>
    question.answered
      ? question
      : { ...question, answered: { answer: answerTo(question), by, at: 0, idempotency_key: null } },
  );
  return { ...ask, questions };
}

/** The result of an ask as another program recorded it. */
export type ImportedAnswers = {
  ask: Pick<ParsedAsk, "questions"> & { input: JsonObject };
  /** The object that came with it, or that its text holds. */
  output: JsonObject | undefined;
  content: Result["content"];
};

/** Reads the answers of the shapes of the contract. Other programs mix them, so each is tried. */
export function readBackPlain({ ask, output, content }: ImportedAnswers, nth: number): unknown {
  const question = ask.questions[nth];
  if (!question) return undefined;
  return (
    ownValue(output?.answers, question.text) ??
    ownValue(output?.follow_up_answers, question.question_id) ??
    (nth === 0 ? ownValue(output, "answer") : undefined) ??
    quotedAnswer(content, question.text)
  );
}

/** Inherited keys are no answers: every object has a `constructor`. */
export function ownValue(record: unknown, key: string): unknown {
  return isJsonObject(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** `"question"="answer"` in the sentence that the agent read. */
function quotedAnswer(content: string, text: string): string | undefined {
  const start = content.indexOf(`"${text}"="`);
  if (start < 0) return undefined;
  const rest = content.slice(start + text.length + 4);
  const end = /"(?=, "|\. You can now| notes: |$)/.exec(rest);
  return end ? rest.slice(0, end.index) : undefined;
}

/** The texts of a recorded list, or undefined if it holds none. */
export function listOfTexts(value: unknown): string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  return texts.length > 0 ? texts : undefined;
}
