import { type PickedAnswer, QUESTION_TYPES } from "../../domain/question-types.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { Question } from "../../protocol/question.ts";
import { oneLine, padded, widthOf } from "../terminal/columns.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { type Asker, NO_ANSWER, PromptAbandoned } from "./asker.ts";
import { type Answers, fillIn } from "./form.ts";
import type { Choice } from "./prompts/choice.ts";

/** What the person decides: the answers by question, or a reply in words. */
export type Decision = { answers: Answers } | { reply: string };
type Asked = AskView["questions"][number];

/** Asks all questions of an ask, and shows the answers before they are sent if there are several. */
export async function askPerson(
  terminal: Terminal,
  asker: Asker,
  ask: AskView,
  settings: { signal?: AbortSignal; canReply: boolean; copies?: number },
): Promise<Decision> {
  const { signal, canReply, copies = 1 } = settings;
  const questions = ask.irreversible ? ask.questions.map(withoutDefaults) : ask.questions;
  const earlier = new Map(
    questions.flatMap(({ question_id, answer }) => (answer ? [[question_id, answer.option_ids]] : [])),
  );
  for (;;) {
    const answers = await fillIn<Asked>(questions, {
      earlier,
      ask: (question, { before, isFirst }) => {
        const ways = [...(isFirst ? [] : ["back" as const]), ...(canReply ? ["reply" as const] : [])];
        return asker.ask(question, { heading: heading(ask, question), before, ways, ...(signal && { signal }) });
      },
      review: (asked, given) => review({ terminal, asker, ask, copies, signal }, asked, given),
    });
    if (answers !== "reply") return { answers };
    const reply = await asker.write("Your reply, instead of an answer", signal);
    if (reply?.trim()) return { reply };
    if (signal?.aborted) throw new PromptAbandoned("");
  }
}

/** Nothing that cannot be undone is preselected. */
function withoutDefaults({ default: _, options, ...question }: Asked): Asked {
  return { ...question, options: options.map(({ default: __, ...option }) => option) };
}

/** The place of a question among the others. */
function heading({ questions }: AskView, { question_id, parent }: Question): string {
  const firstLevel = questions.filter((question) => !question.parent);
  const nth = firstLevel.findIndex((question) => question.question_id === question_id) + 1;
  const option = questions
    .find((question) => question.question_id === parent?.question_id)
    ?.options.find(({ id }) => id === parent?.option_id);
  if (option) return `You chose ${option.label}`;
  return firstLevel.length > 1 ? `Question ${nth} of ${firstLevel.length}` : "";
}

const [SEND, LEAVE] = ["send", "leave"];

type Reviewing = {
  terminal: Terminal;
  asker: Asker;
  ask: AskView;
  /** How many asks get the answer. */
  copies: number;
  signal: AbortSignal | undefined;
};

/** One answer was on the screen when it was given. Several are shown together first, and what cannot be undone always is. */
async function review(
  { terminal, asker, ask: { irreversible }, copies, signal }: Reviewing,
  asked: Asked[],
  given: Answers,
): Promise<Asked | undefined> {
  const isPiped = !terminal.interactive;
  if (!irreversible && (isPiped || asked.length * copies < 2)) return undefined;
  const width = Math.max(...asked.map((question) => widthOf(name(question))));
  const line = (question: Asked) =>
    `${padded(name(question), width)}  ${pickedText(question, given.get(question.question_id) ?? NO_ANSWER)}`;
  const leave = { value: LEAVE, label: "No, leave the question open" };
  const send = { value: SEND, label: irreversible ? "Yes, send it" : "Send" };
  const changes: Choice[] = asked.map((question, index) => ({
    value: `=${index}`,
    label: `Change ${line(question)}`,
  }));
  if (isPiped) terminal.say(asked.map((question) => `  ${line(question)}`).join("\n"));
  const what = asked.length > 1 ? "these answers" : "this answer";
  const where = copies > 1 ? ` to all ${copies} questions` : "";
  const message = `${irreversible ? "This cannot be undone. " : ""}Send ${what}${where}?`;
  const choices = irreversible
    ? [leave, send, ...(isPiped ? [] : changes)]
    : [send, ...changes, { ...leave, label: "Leave the question open" }];
  const choice = await asker.pick(message, choices, signal && { signal });
  if (choice === LEAVE) throw new PromptAbandoned("");
  return choice === SEND ? undefined : asked[Number(choice.slice(1))];
}

const NAME_WIDTH = 24;
const name = ({ header, text }: Question): string => {
  const short = oneLine(visibleText(header ?? text));
  return widthOf(short) > NAME_WIDTH ? padded(short, NAME_WIDTH) : short;
};

function pickedText(question: Question, { option_ids, text }: PickedAnswer): string {
  const labels = QUESTION_TYPES[question.type]
    .choices(question)
    .flatMap(({ id, label }) => (option_ids.includes(id) ? [label] : []));
  const parts = text === null ? labels : [...labels, text];
  return oneLine(visibleText(parts.join(", "))) || "no answer";
}
