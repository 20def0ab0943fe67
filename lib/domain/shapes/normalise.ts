import { cutTo } from "../../protocol/characters.ts";
import { ParleyError, type Problem, pathText } from "../../protocol/errors.ts";
import { FIXED, type Limits } from "../../protocol/limits.ts";
import { AskOptions, askShapes, type Question, type Shape, type StructuredQuestion } from "../../protocol/question.ts";
import { invalidRequest, problemsOf } from "../read-input.ts";
import { OTHER_TOOL_NAMES, otherAgent, readCodex, readOpenCode } from "./codex.ts";
import { type Body, doubles, isBody, labelled, nthId, parsed, type Read, type Reading, withIds } from "./parse.ts";

export const TOOL_NAMES = ["ask_user_question", "AskUserQuestion", "request_input", ...Object.values(OTHER_TOOL_NAMES)];

/** An ask in the one model: what every shape becomes. */
export type NormalisedAsk = {
  shape: Shape;
  tool_use_id: string;
  tool_name: string;
  /** What the agent sent to the tool, as it is shown and given back. */
  input: Record<string, unknown>;
  options: AskOptions;
  /** Flat, parents before their follow-ups. */
  questions: Question[];
};

/** Keys of a request that are about the call, not about the question. */
const CALL_KEYS = new Set([
  "session_id",
  "session_key",
  "conversation_id",
  "wait",
  "tool_use_id",
  "idempotency_key",
  "dialect",
  "title",
  "agent",
]);

type Shapes = ReturnType<typeof askShapes>;

/**
 * Any shape in, one model out; refuses the whole ask with every problem by path. `makeId` is called only where the
 * agent named no tool_use_id.
 */
export function createNormalise(limits: Limits): (request: Body, makeId: () => string) => NormalisedAsk {
  const shapes = askShapes(limits);

  return function normalise(request, makeId) {
    const { body, path, tool_name, tool_use_id } = unwrap(request);
    // The id of a tool call is held to the same rules wherever it stands.
    const options = AskOptions.safeParse(tool_use_id === undefined ? body : { ...body, tool_use_id });
    const problems = options.success ? [] : problemsOf(options.error, path);
    if (body.deadline_at !== undefined && body.timeout_s !== undefined) {
      const message = "give either deadline_at or timeout_s, not both";
      problems.push({ path: pathText([...path, "timeout_s"]), message });
    }
    const id = (fallback?: string) => options.data?.tool_use_id ?? fallback ?? makeId();
    const { dialect } = request;
    const { timeout_s, ...read } = readShape(shapes, limits, { body, path, problems, tool_name, dialect, id });
    if (problems.length > 0 || !options.data) throw invalidRequest(problems);
    checkTree(read.questions);
    const input = Object.fromEntries(Object.entries(body).filter(([key]) => !CALL_KEYS.has(key)));
    return { ...read, tool_name, input, options: { ...options.data, ...(timeout_s && { timeout_s }) } };
  };
}

function readShape(shapes: Shapes, limits: Limits, reading: Reading): Read {
  const { body, path, problems } = reading;
  const other = otherAgent(reading);
  if (other) return other === "codex" ? readCodex(reading) : readOpenCode(reading);
  if (body.questions !== undefined) return readQuestions(shapes, limits, reading);
  if (body.type === "ask_user_question") return readPush(shapes, reading);
  if (body.question_text !== undefined) return readStructured(shapes, reading);
  if (body.question !== undefined) return readRequestInput(shapes, reading);
  const message =
    'holds no question: give `questions`, `question_text`, `question`, or `type: "ask_user_question"` with `question`';
  throw invalidRequest([...problems, { path: pathText(path), message }]);
}

function readQuestions(shapes: Shapes, { headerMax }: Limits, reading: Reading): Read {
  const { path, problems, dialect } = reading;
  const { questions: items } = parsed(questionsShape(shapes, dialect), reading);
  const texts = items.map((item) => item.question);
  problems.push(...doubles(texts, (index) => pathText([...path, "questions", index, "question"]), "question"));
  const id = reading.id();
  const questions = items.map((item, index): Question => {
    const at = [...path, "questions", index, "options"];
    return {
      question_id: item.question_id ?? nthId(id, index, items),
      type: item.multiSelect ? "checkbox" : "multiple_choice",
      text: item.question,
      ...(item.header && { header: cutTo(item.header, headerMax) }),
      options: labelled(item.options, at, problems),
      required: item.required ?? true,
      allow_other: true,
    };
  });
  return { shape: dialect === "shell" ? "shell" : "questions", tool_use_id: id, questions };
}

function questionsShape({ Questions, Shell, ClaudeCode }: Shapes, dialect: unknown) {
  if (dialect === "shell") return Shell;
  return dialect === "claude-code" ? ClaudeCode : Questions;
}

function readStructured(shapes: Shapes, reading: Reading): Read {
  const root = parsed(shapes.StructuredQuestion, reading);
  const id = reading.id();
  return { shape: "structured", tool_use_id: id, questions: flatten(root, id, reading.path, reading.problems) };
}

function readPush(shapes: Shapes, reading: Reading): Read {
  const { question } = parsed(shapes.Push, reading);
  const id = reading.id();
  const questions = flatten(question, id, [...reading.path, "question"], reading.problems);
  return { shape: "push", tool_use_id: id, questions };
}

function readRequestInput(shapes: Shapes, reading: Reading): Read {
  const { question, options = [], multiSelect, question_id, ...rest } = parsed(shapes.RequestInput, reading);
  const id = reading.id(question_id);
  const type = options.length === 0 ? "text" : multiSelect ? "checkbox" : "multiple_choice";
  const choices = options.map((option) => (typeof option === "string" ? { id: option, label: option } : option));
  const only: Question = {
    question_id: question_id ?? id,
    type,
    text: question,
    ...(rest.header && { header: rest.header }),
    ...(rest.description && { description: rest.description }),
    options: withIds(choices, [...reading.path, "options"], reading.problems),
    required: rest.required ?? true,
    allow_other: type !== "text" && rest.allow_other === true,
    ...(type === "text" && rest.default !== undefined && { default: rest.default }),
  };
  return { shape: "request_input", tool_use_id: id, questions: [only] };
}

/** A call may come inside the tool call of a message, inside a tool call, or bare. */
function unwrap(request: Body): {
  body: Body;
  path: PropertyKey[];
  tool_name: string;
  tool_use_id: string | undefined;
} {
  if (request.type === "message" && Array.isArray(request.content)) {
    const calls = request.content.flatMap((block: unknown, index) =>
      isBody(block) && block.type === "tool_use" ? [{ block, index }] : [],
    );
    const call = calls[0];
    if (!call || calls.length > 1) {
      throw invalidRequest([{ path: "content", message: `must hold exactly one tool_use, and holds ${calls.length}` }]);
    }
    const inner = unwrap(call.block);
    return { ...inner, path: ["content", call.index, ...inner.path], body: { ...callOptions(request), ...inner.body } };
  }
  const key = isBody(request.input) ? "input" : isBody(request.arguments) ? "arguments" : undefined;
  const input = key && request[key];
  if (typeof request.name === "string" && key && isBody(input)) {
    if (!TOOL_NAMES.includes(request.name)) {
      throw invalidRequest([
        { path: "name", message: `is not the question tool; it is called ${TOOL_NAMES.join(", ")}` },
      ]);
    }
    const id = typeof request.id === "string" && request.id ? request.id : undefined;
    return { body: { ...callOptions(request), ...input }, path: [key], tool_name: request.name, tool_use_id: id };
  }
  return { body: request, path: [], tool_name: "ask_user_question", tool_use_id: undefined };
}

/** What stands beside a wrapped call, such as a deadline, goes with it; what only wraps it does not. */
function callOptions(request: Body): Body {
  const options = Object.keys(AskOptions.shape);
  return Object.fromEntries(Object.entries(request).filter(([key]) => options.includes(key)));
}

function flatten(root: StructuredQuestion, id: string, path: PropertyKey[], problems: Problem[]): Question[] {
  const questions: Question[] = [];
  const most = FIXED.structured;

  const visit = (asked: StructuredQuestion, at: PropertyKey[], level: number, parent: Question["parent"]): void => {
    if (level > most.levels) {
      problems.push({ path: pathText(at), message: `is nested deeper than ${most.levels} levels` });
      return;
    }
    const { type } = asked;
    const choice = type === "multiple_choice" || type === "checkbox";
    if (choice && !asked.options?.length)
      problems.push({ path: pathText([...at, "options"]), message: "needs at least 1 option" });
    if (!choice && asked.options?.length)
      problems.push({ path: pathText([...at, "options"]), message: `a ${type} question takes no options` });
    const options = choice ? withIds(asked.options ?? [], [...at, "options"], problems) : [];
    if (type === "multiple_choice" && options.filter((option) => option.default).length > 1) {
      problems.push({
        path: pathText([...at, "options"]),
        message: "only one option of a multiple_choice question can be the default",
      });
    }
    if (asked.default !== undefined && typeof asked.default !== (type === "boolean" ? "boolean" : "string")) {
      problems.push({ path: pathText([...at, "default"]), message: `does not fit a ${type} question` });
    }
    if (asked.default !== undefined && choice) {
      problems.push({
        path: pathText([...at, "default"]),
        message: "mark the default option with default: true instead",
      });
    }
    const position = questions.length + 1;
    const question: Question = {
      question_id: asked.question_id ?? (position === 1 ? id : `${id}#${position}`),
      type,
      text: asked.question_text,
      ...(asked.header && { header: asked.header }),
      ...(asked.description && { description: asked.description }),
      options,
      required: asked.required ?? true,
      allow_other: choice && asked.allow_other === true,
      ...(!choice && asked.default !== undefined && { default: asked.default }),
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
  if (questions.length > most.questions) {
    problems.push({
      path: pathText(path),
      message: `must have at most ${most.questions} questions, follow-ups included, and has ${questions.length}`,
    });
  }
  return questions;
}

function checkTree(questions: Question[]): void {
  const seen = new Set<string>();
  for (const { question_id } of questions) {
    if (seen.has(question_id)) {
      throw new ParleyError("duplicate_question_id", `The question_id ${question_id} stands twice in this ask.`, {
        question_id,
      });
    }
    seen.add(question_id);
  }
}
