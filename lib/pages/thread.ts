import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import type { AskView } from "../protocol/ask.ts";
import type { MessageView } from "../protocol/message.ts";
import type { LiveState, SessionState } from "../protocol/session.ts";

export type ThreadView = {
  session: SessionState;
  state: LiveState;
  page: { messages: MessageView[]; asks: AskView[]; exchanges_before: number };
};

/** What the first view needs. Older messages load on scrolling, older rounds when the history opens. */
const NEWEST = { max: 40, bytes: 128 * 1024 };
const ROUNDS = 50;

/** A conversation as its page first shows it. The public API has no such operation, because only the page needs it. */
export async function readThread(hub: Hub, call: Call, id: string): Promise<ThreadView> {
  const state = await hub.readState(call, id);
  const session = await hub.readConversation(call, id, ROUNDS);
  const page = await hub.readNewest(call, id, NEWEST);
  return { session, state, page };
}
