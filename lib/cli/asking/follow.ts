import { type Client, ClientError } from "../../client.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { MessageView } from "../../protocol/message.ts";
import type { LiveState } from "../../protocol/session.ts";
import { conversationEvents } from "../terminal/conversation-events.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import { messageText } from "../terminal/message-text.ts";
import { paintFor } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrapped } from "../terminal/wrap.ts";
import type { Asker } from "./asker.ts";

/** A conversation that the person at this terminal follows from one question to the next. */
export type Thread = {
  session_id: string;
  agent: string;
  /** The newest message that was shown. */
  after: number;
  /** Whether Parley runs the agent itself, and so knows when it has finished. */
  isOwn: boolean;
  /** The asks that were answered here: their results need not be shown. */
  answered: Set<string>;
};

/** The next question, or why there is none: the agent has ended (as a sentence), or the person pressed a key. */
export type Next = { ask: AskView } | { over: string } | "quit" | "inbox";

/** Shows what the agent does until it asks again. */
export async function follow(terminal: Terminal, hub: Client, asker: Asker, thread: Thread): Promise<Next> {
  const stop = new AbortController();
  const stopListening = asker.onKey((key) => {
    if (QUIT_KEYS.includes(key)) stop.abort("quit");
    if (key === "n" || key === "N") stop.abort("inbox");
  });
  const onTrouble = (error: Error) => terminal.say(`${error.message} Trying again; q to quit.`);
  const hint = sayOnce(terminal, hub, thread);
  const { signal } = stop;
  try {
    const read = () => untilNext(terminal, hub, thread, hint, signal);
    return await keepTrying(read, { forMs: Number.POSITIVE_INFINITY, signal, onTrouble });
  } catch (error) {
    if (signal.aborted) return signal.reason;
    throw error;
  } finally {
    stopListening();
  }
}

async function untilNext(
  terminal: Terminal,
  hub: Client,
  thread: Thread,
  hint: () => Promise<void>,
  signal: AbortSignal,
): Promise<Next> {
  let state: LiveState | undefined;
  for await (const { type, payload } of conversationEvents(hub, thread.session_id, thread.after, signal)) {
    if (type === "conversation.state") state = payload;
    const one = typeof payload.message === "object" ? [payload.message] : [];
    for (const message of type === "message.replay" ? payload.messages : one) show(terminal, thread, message);
    // Act on a state only after all messages before it were shown.
    if (!state || state.last_sequence > thread.after) continue;
    const next = nextOf(thread, state);
    if (next) return next;
    await hint();
  }
  throw new ClientError("unreachable", "The connection to Parley was lost.");
}

function show(terminal: Terminal, thread: Thread, message: MessageView): void {
  if (message.sequence_num <= thread.after) return;
  thread.after = message.sequence_num;
  const { type, turn_id, content } = message;
  if (type === "ask_user_question") {
    if (turn_id !== null) thread.isOwn = true;
    return;
  }
  // A separate sentence at the end says that the agent is done.
  const isSilent = !content.text && (type === "complete" || content.event === "agent.system");
  const isKnown = thread.answered.has(String(content.tool_use_id)) || isSilent;
  if (isKnown) return;
  const { stderr } = terminal;
  stderr.write(`${wrapped(messageText(message, thread.agent, paintFor(stderr)), stderr)}\n`);
}

function nextOf({ agent, isOwn }: Thread, { pending: [ask], status, turn_id }: LiveState): Next | undefined {
  if (ask) return { ask };
  if (status === "closed") return { over: "The conversation is closed." };
  if (status === "interrupted") return { over: `${agent} was stopped.` };
  if (!isOwn || turn_id !== null) return undefined;
  return { over: status === "error" ? `${agent} stopped with an error.` : `${agent} has finished.` };
}

function sayOnce(terminal: Terminal, hub: Client, { agent }: Thread): () => Promise<void> {
  let isSaid = false;
  return async () => {
    if (isSaid) return;
    isSaid = true;
    const { open } = (await hub.call("inbox", { query: { limit: 1 } })).counts;
    const others = open > 0 ? `, n for ${open === 1 ? "the other open question" : `${open} other open questions`}` : "";
    terminal.say(`Waiting for ${agent} to ask again. Press q to quit${others}.`);
  };
}

const QUIT_KEYS = ["q", "Q", "\u001b", "\u0003", "\u0004"];
