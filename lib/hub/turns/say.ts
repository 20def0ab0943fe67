import type { NewMessage } from "../../db/change.ts";
import { toJson } from "../../db/json.ts";
import type { MessageBody } from "../../protocol/message.ts";
import type { Askable } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import type { HubContext } from "../context.ts";

export type NewAgentMessage = MessageBody & {
  raw_event?: unknown;
  /** The agent's own metadata, kept with its raw event. */
  metadata?: Record<string, unknown>;
};

const RAW_MAX = 16 * 1024;
const RAW_PREVIEW = 2 * 1024;

/** Adds an agent message to its turn. Returns false if this node no longer runs the turn: nothing was stored. */
export async function say(
  ctx: Pick<HubContext, "commit" | "node">,
  at: Askable,
  turn_id: string,
  message: NewAgentMessage,
): Promise<boolean> {
  const change = emptyChange(at, "agent.said", { turn_id, type: message.type });
  change.guard = { kind: "conversation", idle: false, turn_id, owner: ctx.node.id };
  const row = messageRow(message.type, message.role, message.content, at.call.now, turn_id);
  change.messages.push({ ...row, metadata: agentMetadata(message) });
  return (await ctx.commit(change)) !== undefined;
}

/** The metadata column of an agent message: its own metadata and the event it came from. */
export function agentMetadata({
  raw_event,
  metadata,
}: Pick<NewAgentMessage, "raw_event" | "metadata">): NewMessage["metadata"] {
  if (raw_event === undefined && metadata === undefined) return null;
  return toJson({ ...metadata, ...(raw_event !== undefined && { raw_event: cut(raw_event) }) });
}

/** Raw events are kept for debugging, up to a size. */
function cut(event: unknown): unknown {
  const text = JSON.stringify(event) ?? "null";
  const raw_size = Buffer.byteLength(text);
  return raw_size <= RAW_MAX ? event : { payload_preview: text.slice(0, RAW_PREVIEW), raw_size };
}
