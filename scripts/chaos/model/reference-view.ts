import type { AskView } from "../../../lib/protocol/ask.ts";
import { answersOf, isReached, type RefAsk, type RefConversation } from "./reference.ts";
import type { RefAnswer } from "./reference-answer.ts";
import type { Json, RefQuestion } from "./reference-body.ts";

// What people see and what the agent gets, according to the reference, and the same from the hub's replies.

export function shownAsk(ask: RefAsk): Json {
  return {
    tool_use_id: ask.tool,
    round: ask.round,
    total_rounds: Math.max(ask.saidRounds ?? 0, ask.round),
    status: ask.status,
    shape: ask.shape,
    deadline_at: ask.deadline === undefined ? null : new Date(ask.deadline).toISOString(),
    on_timeout: ask.onTimeout,
    irreversible: ask.irreversible,
    assignee: ask.assignee ?? null,
    claim: ask.claim ? [ask.claim.by, iso(ask.claim.at), iso(ask.claim.expires)] : null,
    asked_by: ask.asker.name,
    input: ask.input,
    questions: ask.questions.map((question) => ({
      question_id: question.id,
      type: question.type,
      text: question.text,
      options: question.options.map(({ id, label, isDefault }) => [id, label, isDefault]),
      required: question.required,
      allow_other: question.other,
      default: question.default ?? null,
      parent: question.parent ? [question.parent.id, question.parent.option] : null,
      status: statusOf(ask, question),
      answered_by: ask.answers.get(question.id)?.by.name ?? null,
      answer: checked(question.id, ask.answers.get(question.id)?.answer),
    })),
    result: ask.status === "pending" ? null : shownResult(ask),
  };
}

export function hubAsk(view: AskView): Json {
  const { decided_by, outcome, reason = null, reply = null, answers, output, content } = view.result ?? {};
  return {
    tool_use_id: view.tool_use_id,
    round: view.round,
    total_rounds: view.total_rounds,
    status: view.status,
    shape: view.shape,
    deadline_at: view.deadline_at,
    on_timeout: view.on_timeout,
    irreversible: view.irreversible,
    assignee: view.assignee?.name ?? null,
    claim: view.claim ? [view.claim.by.name, view.claim.at, view.claim.expires_at] : null,
    asked_by: view.asked_by.name,
    input: view.input,
    questions: view.questions.map((question) => ({
      question_id: question.question_id,
      type: question.type,
      text: question.text,
      options: question.options.map((option) => [option.id, option.label, option.default === true]),
      required: question.required,
      allow_other: question.allow_other,
      default: question.default ?? null,
      parent: question.parent ? [question.parent.question_id, question.parent.option_id] : null,
      status: question.status,
      answered_by: question.answered_by?.name ?? null,
      answer: question.answer,
    })),
    result: view.result
      ? { outcome, by: [decided_by?.kind, decided_by?.name], reason, reply, answers, output, content }
      : null,
  };
}

export function shownSession(conversation: RefConversation, all: RefConversation[]): Json {
  const pending = conversation.asks.filter((ask) => ask.status === "pending");
  const isOpen = pending.length > 0 ? "waiting_input" : "active";
  return {
    status: conversation.isClosed ? "closed" : isOpen,
    interactive: conversation.interactive,
    current_round: conversation.asks.length,
    total_rounds: Math.max(conversation.saidRounds ?? 0, conversation.asks.length),
    pending_asks: pending.length,
    last_sequence: conversation.messages.length,
    pending: pending.map((ask) => ask.tool),
    continued_from: conversation.continuedFrom?.id ?? null,
    continued_as: all.filter((other) => other.continuedFrom?.id === conversation.id).length,
    history: conversation.asks.map((ask) => [
      ask.tool,
      ask.status,
      ask.questions
        .filter((question) => !question.parent)
        .map((question) => question.text)
        .join(" / "),
      ask.status === "answered"
        ? answersInOrder(ask, answersOf(ask))
            .map(([, answer]) => read(answer))
            .filter(Boolean)
            .join(" / ")
        : (ask.reply?.text ?? null),
    ]),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Derived from the ask and the answers, not stored. */
function statusOf(ask: RefAsk, question: RefQuestion): string {
  if (ask.answers.has(question.id)) return "answered";
  if (!isReached(ask, question.id, answersOf(ask))) return "inactive";
  return ask.status === "answered" || ask.status === "replied" ? "cancelled" : ask.status;
}

function shownResult(ask: RefAsk): Json {
  const answers = answersInOrder(ask, ask.defaults ?? answersOf(ask));
  const { output, content } = resultOf(ask, answers);
  return {
    outcome: ask.status,
    by: [ask.decidedBy?.kind, ask.decidedBy?.name],
    reason: ask.status === "cancelled" ? (ask.reason ?? null) : null,
    reply: ask.reply?.text ?? null,
    answers: answers.map(([question, answer]) => checked(question.id, answer)),
    output,
    content,
  };
}

type Pair = [RefQuestion, RefAnswer];

/** The result for the agent: an object in the shape of its ask, and text. */
function resultOf(ask: RefAsk, answers: Pair[]): { output: unknown; content: string } {
  const shaped = shape(ask, answers);
  const real = answers.filter(([, answer]) => answer.options.length > 0 || answer.text !== null);
  const until = ask.deadline === undefined ? "" : ` (until ${new Date(ask.deadline).toISOString()})`;
  const nobody = `Nobody answered in the time allowed${until}.`;
  if (ask.status === "cancelled") {
    const content = `The question was cancelled by ${ask.decidedBy?.name}: ${ask.reason}. No answer was given.`;
    return { output: { cancelled: true, reason: ask.reason }, content };
  }
  if (ask.status === "replied") {
    const output = repliedOutput(ask, answers, ask.reply?.text ?? "");
    if (ask.shape !== "questions" && ask.shape !== "opencode") return { output, content: JSON.stringify(output) };
    const before = real.length > 0 ? ` Before that, they answered: ${quoted(real)}.` : "";
    const words = `The user chose none of the options and replied in their own words: ${ask.reply?.text}`;
    const content = `${words}\n\nTreat this as their reply, not as a choice.${before} If you still need a choice, ask again.`;
    return { output, content };
  }
  if (ask.status === "timeout" && ask.defaults) {
    const content = `${nobody} The defaults that came with the question are taken instead: ${quoted(answers)}. No person has confirmed them.`;
    return { output: { ...shaped, nobody_answered: true }, content };
  }
  if (ask.status === "timeout") {
    const isRequired = ask.questions.some((one) => one.required && statusOf(ask, one) === "timeout");
    if (!isRequired)
      return {
        output: { nobody_answered: true },
        content: `${nobody} The question was optional: go on without an answer.`,
      };
    const message = `${nobody} There is no answer: stop here and do not assume one.`;
    return { output: { error: { code: "input_timeout", message } }, content: message };
  }
  if (ask.shape !== "questions" && ask.shape !== "opencode") return { output: shaped, content: JSON.stringify(shaped) };
  if (real.length === 0)
    return { output: shaped, content: "The user chose to answer none of your questions. There is no answer." };
  const content = `User has answered your questions: ${quoted(real)}. You can now continue with the user's answers in mind.`;
  return { output: shaped, content };
}

/** The asker's shape with the words: in their own field, or as Other if the agent has no such field. */
function repliedOutput(ask: RefAsk, answers: Pair[], reply: string): Json {
  if (["structured", "push", "request_input"].includes(ask.shape))
    return { ...shape(ask, answers), message: reply, replied: true };
  if (ask.shape === "questions") return { ...shape(ask, answers), response: reply, replied: true };
  const standIn: RefAnswer = { value: null, options: [], text: reply, notes: null };
  const note: RefAnswer = { value: null, options: [], text: null, notes: reply };
  const complete = ask.questions.map((question): Pair => {
    const given = answers.find(([one]) => one.id === question.id)?.[1];
    return [question, given ?? (ask.shape === "codex" ? note : standIn)];
  });
  return { ...shape(ask, complete), response: reply, replied: true };
}

function shape(ask: RefAsk, answers: Pair[]): Json {
  const real = answers.filter(([, answer]) => answer.options.length > 0 || answer.text !== null);
  if (ask.shape === "shell") {
    const texts = real.map(([question, { options, text }]) => {
      const other = text === null ? [] : [`Other (custom: ${text})`];
      return [question.header, [...options.map((option) => option.label), ...other].join(", ")];
    });
    return { answers: Object.fromEntries(texts) };
  }
  if (ask.shape === "questions") {
    const notes = answers.flatMap(([question, answer]) =>
      answer.notes ? [[question.text, { notes: answer.notes }]] : [],
    );
    return {
      questions: ask.input.questions,
      answers: Object.fromEntries(real.map(([question, answer]) => [question.text, forAgent(question, answer)])),
      ...(notes.length > 0 && { annotations: Object.fromEntries(notes) }),
    };
  }
  if (ask.shape === "codex" || ask.shape === "opencode") {
    const lists = ask.questions.map(({ id }) => {
      const answer = answers.find(([question]) => question.id === id)?.[1];
      const words = [...(answer?.options.map((option) => option.label) ?? []), ...(answer?.text ? [answer.text] : [])];
      return ask.shape === "codex" && answer?.notes ? [...words, `user_note: ${answer.notes}`] : words;
    });
    if (ask.shape === "opencode") return { answers: lists };
    const ids = (ask.input.questions as Json[]).map(({ id }) => String(id));
    return { answers: Object.fromEntries(ids.map((id, index) => [id, { answers: lists[index] }])) };
  }
  const [root, ...followUps] = answers;
  if (!root) return { question_id: ask.questions[0]?.id, answer: null };
  const below = followUps.map(([question, answer]): [string, unknown] => {
    const full = plain(question, answer);
    return [question.id, Object.keys(full).length > 1 ? full : answer.value];
  });
  return {
    question_id: root[0].id,
    ...plain(root[0], root[1]),
    ...(below.length > 0 && { follow_up_answers: Object.fromEntries(below) }),
  };
}

function plain({ type }: RefQuestion, { value, text, notes }: RefAnswer): Json {
  const other = type === "text" || text === null ? {} : { other: text };
  return { answer: value, ...other, ...(notes !== null && { notes }) };
}

function quoted(answers: Pair[]): string {
  return answers
    .map(
      ([question, answer]) =>
        `"${question.text}"="${forAgent(question, answer)}"${answer.notes ? ` notes: ${answer.notes}` : ""}`,
    )
    .join(", ");
}

/** The text for people. */
function read({ options, text }: RefAnswer): string {
  return wordsOf(options, text).join(", ");
}

/** The text for the agent. In a multiple choice, quotes distinguish a choice with a comma from two choices. */
function forAgent({ type }: RefQuestion, { options, text }: RefAnswer): string {
  const isUnclear = (word: string) => type === "checkbox" && /, |"/.test(word);
  return wordsOf(options, text)
    .map((word) => (isUnclear(word) ? JSON.stringify(word) : word))
    .join(", ");
}

function wordsOf(options: RefAnswer["options"], text: string | null): string[] {
  return [...options.map((option) => option.label), ...(text === null ? [] : [text])];
}

function answersInOrder(ask: RefAsk, answers: ReadonlyMap<string, RefAnswer>): Pair[] {
  return ask.questions.flatMap((question): Pair[] => {
    const answer = answers.get(question.id);
    return answer ? [[question, answer]] : [];
  });
}

function checked(question_id: string, answer: RefAnswer | undefined): Json | null {
  if (!answer) return null;
  const { value, options, text, notes } = answer;
  return {
    question_id,
    value,
    option_ids: options.map(({ id }) => id),
    labels: options.map(({ label }) => label),
    text,
    notes,
  };
}
