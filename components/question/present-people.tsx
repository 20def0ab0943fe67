"use client";

import { useEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { usePresentAt } from "../team/present.ts";
import { Avatar } from "../ui/avatar.tsx";

const FACES = 3;

/** Who else is at the question, on the edge of its card: it comes and goes without moving anything. */
export function PresentPeople({ ask }: { ask: AskView }) {
  const { people, isTyping, words } = usePresentAt(ask);
  // People pause while they type. Screen readers announce each of them once.
  const announced = useRef(new Set<string>());
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (!isTyping || people.every(({ id }) => announced.current.has(id))) return;
    for (const { id } of people) announced.current.add(id);
    setAnnouncement(words);
  }, [isTyping, people, words]);
  return (
    <>
      <span role="status" className="sr-only">
        {announcement}
      </span>
      {people.length > 0 && (
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
      )}
    </>
  );
}
