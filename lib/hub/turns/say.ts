import type { NewMessage } from "../../db/change.ts";
import { toJson } from "../../db/json.ts";
import type { Call } from "../../protocol/actor.ts";
import type { MessageType, Role } from "../../protocol/message.ts";
import { message, plainChange } from "../changes.ts";
import type { HubContext } from "../context.ts";

export type Said = {
  type: MessageType;
  role: Role;
  content: Record<string, unknown>;
  raw_event?: unknown;
  /** The agent's own, kept beside its raw event. */
  metadata?: Record<string, unknown>;
};

const RAW_MOST = 16 * 1024;
const RAW_PREVIEW = 2 * 1024;

/** Adds a message of the agent to its turn. False: this node does not run the turn any more, and nothing was said. */
export async function say(
  ctx: HubContext,
  call: Call,
  conversation_id: string,
  turn_id: string,
  said: Said,
): Promise<boolean> {
  const change = plainChange(conversation_id, call, "agent.said", { turn_id, type: said.type });
  change.guard = { kind: "conversation", idle: false, turn_id, owner: ctx.node };
  const made = message(said.type, said.role, said.content, call.now, turn_id);
  change.messages.push({ ...made, metadata: agentMetadata(said) });
  return (await ctx.commit(change)) !== undefined;
}

/** What is kept beside a message of an agent: its own metadata, and the event it came from. */
export function agentMetadata({ raw_event, metadata }: Pick<Said, "raw_event" | "metadata">): NewMessage["metadata"] {
  if (raw_event === undefined && metadata === undefined) return null;
  return toJson({ ...metadata, ...(raw_event !== undefined && { raw_event: cut(raw_event) }) });
}

/** An agent's raw event is kept for looking into, but not at any size. */
function cut(event: unknown): unknown {
  const text = JSON.stringify(event) ?? "null";
  const raw_size = Buffer.byteLength(text);
  return raw_size <= RAW_MOST ? event : { payload_preview: text.slice(0, RAW_PREVIEW), raw_size };
}
