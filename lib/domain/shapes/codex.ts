import { isJsonObject, type JsonObject } from "../json.ts";
import { answerParts } from "../views/answer-text.ts";
import { otherAgentsItems, type ParsedAsk, type ParseState, readItems, reportDuplicates } from "./parse.ts";
import {
  type AgentShape,
  type AnsweredAsk,
  type ImportedAnswers,
  listOfTexts,
  ownValue,
  readBackPlain,
  replyAsNote,
} from "./shape.ts";

/** `request_user_input` of Codex. Its ids key the answers; they are not question ids, which must be unique in a conversation. */
export const codex: AgentShape = {
  toolName: "request_user_input",
  matches: (call) => {
    const items = otherAgentsItems(call);
    return items.length > 0 && items.every((item) => typeof item.id === "string" && !("question_id" in item));
  },
  read,
  write,
  writeReply: (ask, reply) => ({ ...write(replyAsNote(ask, reply)), response: reply }),
  inWords: false,
  readBack: (imported, nth) => readBack(imported, nth) ?? readBackPlain(imported, nth),
  takesLabels: true,
  goesOnAlone: ({ autoResolutionMs }) => Boolean(autoResolutionMs),
};

// A remark goes among the answers with a mark, where Codex itself puts it.
function write({ input, questions }: AnsweredAsk): JsonObject {
  return {
    answers: Object.fromEntries(
      questions.map(({ answered }, index) => {
        const notes = answered?.answer.notes ? [`user_note: ${answered.answer.notes}`] : [];
        return [codexId(input, index), { answers: [...(answered ? answerParts(answered.answer) : []), ...notes] }];
      }),
    ),
  };
}

function read(call: ParseState): ParsedAsk {
  const { questions: items, autoResolutionMs } = call.parse(call.schemas.CodexCall);
  const ids = items.map((item) => item.id);
  reportDuplicates(call, ids, "id", (index) => ["questions", index, "id"]);
  const hasDeadline = call.body.deadline_at !== undefined || call.body.timeout_s !== undefined;
  if (autoResolutionMs && hasDeadline) call.report(["autoResolutionMs"], "give either this or a deadline, not both");
  const asked = items.map(({ question, header, options, required, isOther }) => ({
    question,
    header,
    options: options?.map(({ id, label, description }) => ({ id, label, description })),
    required,
    isMany: false,
    allowsOther: isOther !== false,
  }));
  return { ...readItems(asked, call), ...(autoResolutionMs && { timeout_s: autoResolutionMs / 1_000 }) };
}

function readBack({ ask, output }: ImportedAnswers, nth: number): string[] | undefined {
  const id = codexId(ask.input, nth);
  const answer = id === undefined ? undefined : ownValue(output?.answers, id);
  return isJsonObject(answer) ? listOfTexts(answer.answers) : undefined;
}

function codexId({ questions }: JsonObject, nth: number): string | undefined {
  const item: unknown = Array.isArray(questions) ? questions[nth] : undefined;
  return isJsonObject(item) && typeof item.id === "string" ? item.id : undefined;
}
