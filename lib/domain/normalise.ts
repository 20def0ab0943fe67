import { ParleyError, type Problem } from "../protocol/errors.ts";
import { FIXED, type Limits } from "../protocol/limits.ts";
import {
  AskOptions,
  askShapes,
  type Option,
  type Question,
  type Shape,
  type StructuredQuestion,
} from "../protocol/question.ts";
import { invalidRequest, pathText, problemsOf } from "./read-input.ts";

export const TOOL_NAMES = ["ask_user_question", "AskUserQuestion", "request_input"];

/** An ask in the one model: what all four shapes become. */
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

type Body = Record<string, unknown>;

/** Keys of a request that are about the call, not about the question. */
const CALL_KEYS = new Set([
  "session_id",
  "conversation_id",
  "wait",
  "tool_use_id",
  "idempotency_key",
  "timestamp",
  "dialect",
  "title",
  "agent",
]);

/**
 * Four shapes in, one model out; refuses the whole ask with every problem by path. `makeId` is called only where the
 * agent named no tool_use_id.
 */
export function createNormalise(limits: Limits): (request: Body, makeId: () => string) => NormalisedAsk {
  const shapes = askShapes(limits);

  return function normalise(request, makeId) {
    const { body, path, tool_name, tool_use_id } = unwrap(request);
    const problems: Problem[] = [];
    const options = AskOptions.safeParse(body);
    if (!options.success) problems.push(...problemsOf(options.error, path));
    if (options.data?.deadline_at !== undefined && options.data.timeout_s !== undefined) {
      problems.push({
        path: pathText([...path, "timeout_s"]),
        message: "give either deadline_at or timeout_s, not both",
      });
    }
    const input = Object.fromEntries(Object.entries(body).filter(([key]) => !CALL_KEYS.has(key)));
    const given = tool_use_id ?? options.data?.tool_use_id;
    const finish = (shape: Shape, id: string, questions: Question[]): NormalisedAsk => {
      if (problems.length > 0 || !options.data) throw invalidRequest(problems);
      checkTree(questions);
      return { shape, tool_use_id: id, tool_name, input, options: options.data, questions };
    };

    if (body.questions !== undefined) {
      const shape = request.dialect === "shell" ? "shell" : "questions";
      const parsed = (shape === "shell" ? shapes.Shell : shapes.Questions).safeParse(body);
      if (!parsed.success) throw invalidRequest([...problems, ...problemsOf(parsed.error, path)]);
      const items = parsed.data.questions;
      problems.push(
        ...doubles(
          items.map((item) => item.question),
          (i) => pathText([...path, "questions", i, "question"]),
          "question",
        ),
      );
      const id = given ?? makeId();
      const questions = items.map((item, index): Question => {
        const at = [...path, "questions", index];
        problems.push(
          ...doubles(
            item.options.map((option) => option.label),
            (i) => pathText([...at, "options", i, "label"]),
            "label",
          ),
        );
        return {
          question_id: item.question_id ?? (items.length === 1 ? id : `${id}#${index + 1}`),
          type: item.multiSelect ? "checkbox" : "multiple_choice",
          text: item.question,
          ...(item.header && { header: item.header }),
          options: withIds(item.options, [...at, "options"], problems),
          required: item.required ?? true,
          allow_other: true,
        };
      });
      return finish(shape, id, questions);
    }

    if (body.type === "ask_user_question" || body.question_text !== undefined) {
      const push = body.type === "ask_user_question";
      const parsed = push ? shapes.Push.safeParse(body) : shapes.StructuredQuestion.safeParse(body);
      if (!parsed.success) throw invalidRequest([...problems, ...problemsOf(parsed.error, path)]);
      const id = given ?? makeId();
      const root = (
        push ? (parsed.data as { question: StructuredQuestion }).question : parsed.data
      ) as StructuredQuestion;
      return finish(push ? "push" : "structured", id, flatten(root, id, push ? [...path, "question"] : path, problems));
    }

    if (body.question !== undefined) {
      const parsed = shapes.RequestInput.safeParse(body);
      if (!parsed.success) throw invalidRequest([...problems, ...problemsOf(parsed.error, path)]);
      const { question, options: choices = [], multiSelect, question_id, ...rest } = parsed.data;
      const id = given ?? question_id ?? makeId();
      const type = choices.length === 0 ? "text" : multiSelect ? "checkbox" : "multiple_choice";
      const asObjects = choices.map((choice) => (typeof choice === "string" ? { id: choice, label: choice } : choice));
      return finish("request_input", id, [
        {
          question_id: question_id ?? id,
          type,
          text: question,
          ...(rest.header && { header: rest.header }),
          ...(rest.description && { description: rest.description }),
          options: withIds(asObjects, [...path, "options"], problems),
          required: rest.required ?? true,
          allow_other: type !== "text" && rest.allow_other === true,
          ...(type === "text" && rest.default !== undefined && { default: rest.default }),
        },
      ]);
    }

    throw invalidRequest([
      ...problems,
      {
        path: pathText(path),
        message:
          'holds no question: give `questions`, `question_text`, `question`, or `type: "ask_user_question"` with `question`',
      },
    ]);
  };
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

type GivenOption = Omit<Option, "id"> & { id?: string | undefined };

function withIds(options: GivenOption[], path: PropertyKey[], problems: Problem[]): Option[] {
  const complete = options.map(
    (option, index): Option => ({
      id: option.id ?? `option_${index + 1}`,
      label: option.label,
      ...(option.description && { description: option.description }),
      ...(option.preview && { preview: option.preview }),
      ...(option.default && { default: true }),
    }),
  );
  problems.push(
    ...doubles(
      complete.map((option) => option.id),
      (i) => pathText([...path, i, "id"]),
      "id",
    ),
  );
  return complete;
}

function doubles(values: string[], path: (index: number) => string, what: string): Problem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index ? [] : [{ path: path(index), message: `this ${what} stands there twice` }],
  );
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

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
