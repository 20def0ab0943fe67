import type { CheckedAnswer } from "../../protocol/answer.ts";
import { cutTo } from "../../protocol/characters.ts";
import type { AskQuestion } from "../ask.ts";
import type { JsonObject } from "../json.ts";
import { QUESTION_TYPES } from "../question-types.ts";
import { answerParts, answerText } from "../views/answer-text.ts";
import { joinChoices } from "./claude-choices.ts";
import { type ParsedAsk, type ParseState, readItems, reportDuplicates } from "./parse.ts";
import { type AgentShape, type AnsweredAsk, readBackPlain } from "./shape.ts";

/** `AskUserQuestion` of Claude Code: questions with options, answered by label. */
export const questions: AgentShape = {
  matches: ({ body }) => body.questions !== undefined,
  read: (call) => {
    const { Questions, ClaudeCode } = call.schemas;
    return readQuestions(call.parse(call.dialect === "claude-code" ? ClaudeCode : Questions), call);
  },
  write,
  // Claude Code's own field for words instead of a choice.
  writeReply: (ask, reply) => ({ ...write(ask), response: reply }),
  inWords: true,
  readBack: readBackPlain,
  takesLabels: true,
};

function write({ input, questions: asked }: AnsweredAsk): JsonObject {
  const notes = asked.flatMap(({ text, answered }) =>
    answered?.answer.notes ? [[text, { notes: answered.answer.notes }]] : [],
  );
  return {
    questions: input.questions,
    answers: Object.fromEntries(
      answeredQuestions(asked).map(({ question, answer }) => [question.text, claudeText(question, answer)]),
    ),
    ...(notes.length > 0 && { annotations: Object.fromEntries(notes) }),
  };
}

type QuestionsCall = ReturnType<ParseState["schemas"]["Questions"]["parse"]>;

export function readQuestions({ questions: items }: QuestionsCall, call: ParseState): ParsedAsk {
  const texts = items.map((item) => item.question);
  reportDuplicates(call, texts, "question", (index) => ["questions", index, "question"]);
  return readItems(
    items.map(({ question, question_id, header, options, multiSelect, required }) => ({
      question,
      question_id,
      header: header && cutTo(header, call.limits.headerMax),
      options,
      required,
      isMany: multiSelect === true,
      allowsOther: true,
    })),
    call,
  );
}

/** The questions that were answered, without the optional ones that were left empty. */
export function answeredQuestions(asked: AskQuestion[]): Array<{ question: AskQuestion; answer: CheckedAnswer }> {
  return asked.flatMap((question) => {
    const answer = question.answered?.answer;
    return answer && answerParts(answer).length > 0 ? [{ question, answer }] : [];
  });
}

/** An answer as Claude Code gives it to its model: quotes keep apart choices that contain commas. */
export function claudeText({ type }: AskQuestion, answer: CheckedAnswer): string {
  return QUESTION_TYPES[type].isMany ? joinChoices(answerParts(answer)) : answerText(answer);
}
