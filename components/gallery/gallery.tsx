"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { QuestionCard } from "../question/question-card.tsx";
import { Message } from "../thread/message.tsx";
import { Streaming } from "../thread/streaming.tsx";
import { Primitives } from "./primitives.tsx";
import { cardStates, messageStates } from "./states.ts";

/** Everything a thread can show, on one page, for people, screenshots and accessibility tests. */
export function Gallery({ now }: { now: number }) {
  const t = useTranslations("gallery");
  const [asks, setAsks] = useState(() => cardStates(now));
  return (
    <div className="mx-auto max-w-3xl space-y-8 px-4 py-8">
      <h1 className="text-lg font-semibold">{t("title")}</h1>
      <section data-state="primitives">
        <Primitives />
      </section>
      {Object.entries(asks).map(([name, ask]) => (
        <section key={name} aria-labelledby={`state-${name}`} data-state={name}>
          <h2 id={`state-${name}`} className="mb-2 font-mono text-sm text-muted">
            {name}
          </h2>
          <QuestionCard ask={ask} onChange={(next) => setAsks({ ...asks, [name]: next })} onContinue={() => {}} />
        </section>
      ))}
      <section className="space-y-4" data-state="messages">
        {messageStates(now).map((message) => (
          <Message key={message.sequence_num} message={message} took={12_000} />
        ))}
        <Streaming type="thinking" text="Still thinking …" />
        <Streaming type="text" text={"Writing **unfinished"} />
      </section>
    </div>
  );
}
