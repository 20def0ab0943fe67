"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { PresentPerson } from "../../lib/protocol/events.ts";
import { usePresent } from "../live/presence.ts";
import { useMe } from "./me.tsx";

export type Present = {
  people: readonly PresentPerson[];
  /** Whether these people are typing; otherwise they are looking. */
  isTyping: boolean;
  /** The same in words. */
  words: string;
};

/** Who else is at an ask: the people who are typing, or everyone if nobody is. */
export function usePresentAt({ session_id, tool_use_id }: Pick<AskView, "session_id" | "tool_use_id">): Present {
  const t = useTranslations("presence");
  const present = usePresent({ conversation_id: session_id, tool_use_id }, useMe().person?.id);
  const typing = present.filter(({ state }) => state === "typing");
  const isTyping = typing.length > 0;
  const people = isTyping ? typing : present;
  const [name = "", other = ""] = people.map((person) => person.name);
  return { people, isTyping, words: t(isTyping ? "typing" : "looking", { count: people.length, name, other }) };
}
