import { createHmac, hash as digest } from "node:crypto";
import { fieldsText } from "../../db/audit-rows.ts";
import type { Head, NewSeal, SealedEvent } from "../../db/record/seals.ts";
import type { AuditKey } from "./key.ts";

// Two chains. The events of each conversation are linked by SHA-256, and a seal keeps the hash up to some event. All
// seals, whatever their conversation, are linked by HMAC with the audit key, and the head keeps the end of that chain.

/** The hash before the first event of a conversation. */
export const START = "parley";

/** The hash up to and including this event. */
export function link(hash: string, e: SealedEvent): string {
  const { conversation_id, number, action, tool_use_id, question_id, actor, at, before, after } = e;
  const fields = [hash, conversation_id, number, action, tool_use_id, question_id, actor, at, before, after];
  // Older versions wrote no command; their events keep the hashes they were sealed with.
  if (e.command_id === null) return digest("sha256", JSON.stringify(fields), "hex");
  fields.push(e.command_id, e.first_sequence, e.messages, e.content_hash, e.ask_hash);
  return digest("sha256", fieldsText(fields), "hex");
}

/** Takes the place of the seal before the first one. */
export function chainMac(key: AuditKey, began_at: number): string {
  return mac(key, ["chain", began_at]);
}

export function sealMac(key: AuditKey, previous: string, position: number, seal: NewSeal): string {
  return mac(key, ["seal", previous, position, seal.conversation_id, seal.number, seal.hash, seal.sealed_at]);
}

/** Only someone with the key can attest that the chain ends here. */
export function headMac(key: AuditKey, newest: string, { position, began_at }: Pick<Head, "position" | "began_at">) {
  return mac(key, ["head", newest, position, began_at]);
}

function mac(key: AuditKey, fields: unknown[]): string {
  return createHmac("sha256", key.secret).update(JSON.stringify(fields)).digest("base64url");
}
