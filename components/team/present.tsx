"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { PresentPerson } from "../../lib/protocol/events.ts";
import { usePresent } from "../live/presence.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { useMe } from "./me.tsx";

const FACES = 3;

/** Whom to show of those at an ask: whoever writes matters more than whoever looks. */
function usePeopleAt({ session_id, tool_use_id }: Pick<AskView, "session_id" | "tool_use_id">) {
  const present = usePresent({ conversation_id: session_id, tool_use_id }, useMe().person?.id);
  const typing = present.filter(({ state }) => state === "typing");
  return typing.length > 0 ? { people: typing, isTyping: true } : { people: present, isTyping: false };
}

function useWords(): (people: readonly PresentPerson[], isTyping: boolean) => string {
  const t = useTranslations("presence");
  return (people, isTyping) => {
    const [name = "", other = ""] = people.map((person) => person.name);
    return t(isTyping ? "typing" : "looking", { count: people.length, name, other });
  };
}

/** Who else is at the question, on the edge of its card: it comes and goes without moving anything. */
export function Present({ ask }: { ask: AskView }) {
  const { people, isTyping } = usePeopleAt(ask);
  const words = useWords()(people, isTyping);
  const announce = useAnnounce();
  // Somebody who writes pauses and goes on: once is enough.
  const announced = useRef(new Set<string>());
  useEffect(() => {
    if (!isTyping || people.every(({ id }) => announced.current.has(id))) return;
    for (const { id } of people) announced.current.add(id);
    announce(words);
  });
  if (people.length === 0) return null;
  return (
    <p
      data-testid="present"
      title={words}
      className="absolute -top-2.5 right-3 z-10 flex h-5 max-w-[calc(100%-1.5rem)] items-center gap-1.5 rounded-full border border-line bg-page pr-2 pl-0.5 text-xs text-muted shadow-sm"
    >
      <span className="flex shrink-0 gap-0.5">
        {people.slice(0, FACES).map(({ id, name }) => (
          <Avatar key={id} name={name} kind="person" size="sm" />
        ))}
      </span>
      <span className="truncate" dir="auto">
        {words}
      </span>
    </p>
  );
}

/** The face of somebody who is writing an answer, for a row of the inbox. */
export function TypingFact({ item }: { item: Pick<AskView, "session_id" | "tool_use_id"> }) {
  const { people, isTyping } = usePeopleAt(item);
  const words = useWords()(people, isTyping);
  const [first] = people;
  if (!isTyping || !first) return null;
  return (
    <span data-testid="typing" className="inline-flex shrink-0 items-center gap-0.5 text-info" title={words}>
      <Avatar name={first.name} kind="person" size="sm" />
      <span aria-hidden className="tracking-widest motion-safe:animate-pulse">
        …
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
