import type { Right } from "../../protocol/actor.ts";

const WORDS: Record<Right, string> = {
  ask: "ask",
  answer: "answer",
  read: "read",
  report: "report what a person decided in the agent's own terminal",
  account: "change their account",
  run: "start agents on Parley's machine",
  observe: "read its metrics and its whole audit record",
  notify: "choose how you are notified",
  manage: "manage people, spaces and keys",
  enrol: "only add a passkey, which their team requires",
};

/** What someone may do, as the end of a sentence. */
export function rightsInWords(rights: readonly Right[]): string {
  if (rights.length === 0) return "nothing";
  return new Intl.ListFormat("en").format(rights.map((right) => WORDS[right]));
}
