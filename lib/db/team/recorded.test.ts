import { expect, test } from "vitest";
import type { Prisma } from "../generated/sqlite/client.ts";
import { RECORDED } from "./recorded.ts";

const REPLAYED = "the events of the team, replayed";
const NO_RIGHT = "not verified: it decides nothing about who may do what";

/** What verifies each table, or why nothing does. A new table does not compile until it is here. */
const VERIFIED_BY: Record<Prisma.ModelName, string> = {
  AuditEvent: "its chain and the seals",
  AuditSeal: "the audit key",
  AuditHead: "the audit key",
  Conversation: "lib/db/record/conversations.ts",
  Message: "lib/hub/audit/message-check.ts",
  Ask: "lib/hub/audit/ask-hash.ts",
  Question: "lib/hub/audit/ask-hash.ts",
  Answer: "lib/hub/audit/ask-hash.ts",
  Turn: "lib/hub/audit/turn-check.ts",
  InboxItem: "lib/hub/audit/ask-check.ts",
  TeamState: REPLAYED,
  Person: REPLAYED,
  AuthIdentity: REPLAYED,
  Passkey: REPLAYED,
  AuthSession: REPLAYED,
  ApiKey: REPLAYED,
  OneTimeToken: REPLAYED,
  KeyPerson: REPLAYED,
  Space: REPLAYED,
  SpaceMember: REPLAYED,
  Channel: REPLAYED,
  SpaceWish: NO_RIGHT,
  Notification: NO_RIGHT,
  Escalation: NO_RIGHT,
  SeenItem: NO_RIGHT,
  Snooze: NO_RIGHT,
  Draft: NO_RIGHT,
  SearchEntry: "not verified: made again from other tables",
  SearchText: "not verified: made again from other tables",
  SearchState: "not verified: made again from other tables",
  InsightChunk: "not verified: made again from other tables",
};

test("every table is verified, or says why not", () => {
  const replayed = Object.entries(VERIFIED_BY).flatMap(([model, by]) =>
    by === REPLAYED ? [model.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase()] : [],
  );
  expect(Object.keys(RECORDED).sort()).toEqual(replayed.sort());
});
