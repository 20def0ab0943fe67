"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { api, errorText } from "../live/api.ts";

/** Begins a conversation and opens it. */
export function useStart(): {
  start: (agent: string, text: string) => Promise<void>;
  isStarting: boolean;
  error: string | undefined;
} {
  const router = useRouter();
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<string>();
  const start = async (agent: string, text: string) => {
    setStarting(true);
    try {
      const title = [...(text.trim().split("\n")[0]?.trim() ?? "")].slice(0, 80).join("");
      const { session_id } = await api.call("createSession", { body: { agent, title } });
      await api.call("sendMessage", { params: { id: session_id }, body: { text } });
      router.push(`/conversations/${session_id}`);
    } catch (reason) {
      setError(errorText(reason));
      setStarting(false);
    }
  };
  return { start, isStarting, error };
}

/** One press, and the demo agent asks. */
export function StartDemo({ children, className }: { children: ReactNode; className: string }) {
  const t = useTranslations("first");
  const { start, isStarting, error } = useStart();
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
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </>
  );
}
