import { randomUUID } from "node:crypto";
import type { Client } from "../../client.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { answerAsk, TRY_MS } from "../asking/answer-ask.ts";
import { answerTogether } from "../asking/answer-together.ts";
import { askContext } from "../asking/ask-context.ts";
import { type Asker, PromptAbandoned } from "../asking/asker.ts";
import { createAsker } from "../asking/create-asker.ts";
import { findItems, type Selection } from "../asking/find-item.ts";
import { follow, type Thread } from "../asking/follow.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import { paintFor } from "../terminal/paint.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

type Answering = { terminal: Terminal; hub: Client; asker: Asker; stays: boolean };

/** Answers pending questions. At a terminal it stays with the conversation for the next ones. */
export const run: Run = async (terminal, [id], { once, session, reply }) => {
  const answering = {
    terminal,
    hub: createTerminalClient(terminal, "person"),
    asker: await createAsker(terminal),
    stays: terminal.interactive && once !== true,
  };
  try {
    const selection = { id, session: typeof session === "string" ? session : undefined };
    return await (typeof reply === "string"
      ? replyInWords(answering, selection, reply)
      : answerAll(answering, selection));
  } catch (error) {
    if (error instanceof PromptAbandoned)
      throw new CommandExit(EXIT.cancelled, `Not answered: the question stays open. ${error.message}`.trim());
    throw error;
  } finally {
    answering.asker.close();
  }
};

async function answerAll(answering: Answering, first: Selection): Promise<number> {
  const { terminal, hub, asker } = answering;
  let selection = first;
  for (let answered = 0; ; ) {
    const found = await findItems(terminal, hub, asker, selection).catch(leftTheList);
    if (found === "left") return answered > 0 ? EXIT.answered : EXIT.cancelled;
    const name = selection.id ?? selection.session;
    const [item, ...others] = found;
    if (!item) {
      terminal.say(nothingPending(selection));
      return name === undefined ? EXIT.answered : EXIT.badInput;
    }
    if (others.length > 0) {
      answered += await answerTogether(terminal, hub, asker, found);
      if (!answering.stays) return answered > 0 ? EXIT.answered : EXIT.cancelled;
      continue;
    }
    const conversation = await converse(answering, item);
    answered += conversation.answered;
    const isDone = conversation.end === "quit" || (conversation.end === "over" && name !== undefined);
    if (isDone) return answered > 0 ? EXIT.answered : EXIT.cancelled;
    selection = { id: undefined, session: undefined };
  }
}

/** Nobody has begun to answer there, so it needs no words. */
function leftTheList(error: unknown): "left" {
  if (error instanceof PromptAbandoned && error.message === "") return "left";
  throw error;
}

/** Settles one question in the person's own words. */
async function replyInWords({ terminal, hub, asker }: Answering, selection: Selection, text: string): Promise<number> {
  if (text.trim() === "") throw new CommandExit(EXIT.badInput, "--reply needs a text.");
  const [item, ...others] = await findItems(terminal, hub, asker, selection);
  if (others.length > 0) throw new CommandExit(EXIT.badInput, "A reply settles one question. Choose one of them.");
  if (!item) throw new CommandExit(EXIT.badInput, nothingPending(selection));
  const { session_id, tool_use_id } = item;
  const idempotencyKey = randomUUID();
  const body = { session_id, tool_use_id, text };
  await keepTrying(() => hub.call("reply", { body, idempotencyKey }), { forMs: TRY_MS });
  terminal.say("Replied: the agent continues with your words.");
  return EXIT.answered;
}

function nothingPending({ id, session }: Selection): string {
  const name = id ?? session;
  return name === undefined ? "Nothing is pending." : `Nothing is pending under ${name}.`;
}

/** Answers one conversation, question by question. */
async function converse(
  { terminal, hub, asker, stays }: Answering,
  { session_id, tool_use_id, agent, title }: InboxItem,
): Promise<{ answered: number; end: "over" | "quit" | "inbox" }> {
  let { ask } = await hub.call("readAsk", { params: { tool_use_id }, query: { session_id } });
  const thread: Thread = { session_id, agent, after: ask.sequence_num - 1, isOwn: false, answered: new Set() };
  const ended = (end: "over" | "quit" | "inbox") => ({ answered: thread.answered.size, end });
  for (;;) {
    terminal.stderr.write(`${askContext(ask, agent, title, paintFor(terminal.stderr), Date.now())}\n`);
    if (await answerAsk(terminal, hub, asker, ask)) thread.answered.add(ask.tool_use_id);
    if (!stays) return ended("quit");
    const next = await follow(terminal, hub, asker, thread);
    if (next === "inbox") return ended(next);
    if (next === "quit") {
      terminal.say(`You have left the conversation. To return: parley answer --session ${shellWord(session_id)}`);
      return ended(next);
    }
    if ("over" in next) {
      terminal.say(next.over);
      return ended("over");
    }
    ask = next.ask;
  }
}
