"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useStartConversation } from "./use-start-conversation.ts";

/** A button that makes the demo agent ask a question, in the inbox. */
export function StartDemo({ children, className }: { children: ReactNode; className: string }) {
  const t = useTranslations("first");
  const { start, isStarting, error } = useStartConversation("inbox");
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={isStarting}
        onClick={() => void start("demo", t("message"))}
      >
        {children}
      </button>
      {isStarting && (
        <p role="status" className="basis-full text-sm text-muted">
          {t("starting")}
        </p>
      )}
      {error && (
        <p role="alert" className="basis-full text-sm text-danger">
          {error}
        </p>
      )}
    </>
  );
}
