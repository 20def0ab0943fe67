import type { CheckedAnswer } from "../../protocol/answer.ts";
import { CONTRACT_LIMITS } from "../../protocol/limits.ts";
import type { Question, StructuredQuestion } from "../../protocol/question.ts";
import type { JsonObject } from "../json.ts";
import { QUESTION_TYPES } from "../question-types.ts";
import { type ParsedAsk, type ParseState, withIds } from "./parse.ts";
import { type AgentShape, type AnsweredAsk, readBackPlain } from "./shape.ts";

/** One question of any type, with follow-ups nested under its options. */
export const structured: AgentShape = {
  matches: ({ body }) => body.question_text !== undefined,
  read: (call) => readStructured(call.parse(call.schemas.StructuredQuestion), [], call),
  write: writeStructured,
  writeReply: writeStructuredReply,
  inWords: false,
  readBack: readBackPlain,
  takesLabels: false,
};

/** The question at `path` and its follow-ups, flat. */
export function readStructured(root: StructuredQuestion, path: PropertyKey[], call: ParseState): ParsedAsk {
  const max = CONTRACT_LIMITS.structured;
  const id = call.id();
  const questions: Question[] = [];

  const visit = (asked: StructuredQuestion, at: PropertyKey[], level: number, parent: Question["parent"]): void => {
    if (level > max.levels) {
      call.report(at, `is nested deeper than ${max.levels} levels`);
      return;
    }
    reportTypeProblems(asked, at, call);
    const { hasOptions } = QUESTION_TYPES[asked.type];
    const position = questions.length + 1;
    const question: Question = {
      question_id: asked.question_id ?? (position === 1 ? id : `${id}#${position}`),
      type: asked.type,
      text: asked.question_text,
      ...(asked.header && { header: asked.header }),
      ...(asked.description && { description: asked.description }),
      options: hasOptions ? withIds(asked.options ?? [], [...at, "options"], call) : [],
      required: asked.required ?? true,
      allow_other: hasOptions && asked.allow_other === true,
      ...(!hasOptions && asked.default !== undefined && { default: asked.default }),
      ...(parent && { parent }),
    };
    questions.push(question);
    for (const [option_id, followUps] of Object.entries(asked.follow_up_questions ?? {})) {
      followUps.forEach((followUp, index) => {
        visit(followUp, [...at, "follow_up_questions", option_id, index], level + 1, {
          question_id: question.question_id,
          option_id,
        });
      });
    }
  };

  visit(root, path, 1, undefined);
  if (questions.length > max.questions) {
    call.report(path, `must have at most ${max.questions} questions, follow-ups included, and has ${questions.length}`);
  }
  return { tool_use_id: id, questions };
}

/** Options and defaults that a question of this type cannot have, or lacks. */
function reportTypeProblems(
  { type, options = [], default: value }: StructuredQuestion,
  at: PropertyKey[],
  call: ParseState,
): void {
  const { hasOptions, isMany, fitsDefault } = QUESTION_TYPES[type];
  const report = (key: "options" | "default", message: string) => call.report([...at, key], message);
  if (hasOptions && options.length === 0) report("options", "needs at least 1 option");
  if (!hasOptions && options.length > 0) report("options", `a ${type} question takes no options`);
  if (hasOptions && !isMany && options.filter((option) => option.default).length > 1)
    report("options", `only one option of a ${type} question can be the default`);
  if (value !== undefined && hasOptions) report("default", "mark the default option with default: true instead");
  else if (value !== undefined && !fitsDefault(value)) report("default", `does not fit a ${type} question`);
}

/** The answer to the first question, with those to its follow-ups by id. */
export function writeStructured({ questions }: AnsweredAsk): JsonObject {
  const answered = questions.flatMap(({ answered: one }) => (one ? [one.answer] : []));
  const [root, ...followUps] = answered;
  if (!root) return { question_id: questions[0]?.question_id, answer: null };
  return {
    question_id: root.question_id,
    ...plainAnswer(root),
    ...(followUps.length > 0 && {
      follow_up_answers: Object.fromEntries(
        followUps.map((answer) => {
          const plain = plainAnswer(answer);
          return [answer.question_id, Object.keys(plain).length > 1 ? plain : plain.answer];
        }),
      ),
    }),
  };
}

export function writeStructuredReply(ask: AnsweredAsk, reply: string): JsonObject {
  return { ...writeStructured(ask), message: reply };
}

function plainAnswer({ value, text, notes, labels }: CheckedAnswer): {
  answer: CheckedAnswer["value"];
  other?: string;
  notes?: string;
} {
  const isOther = text !== null && (Array.isArray(value) || labels.length > 0 || value === null);
  return { answer: value, ...(isOther && { other: text }), ...(notes !== null && { notes }) };
}
