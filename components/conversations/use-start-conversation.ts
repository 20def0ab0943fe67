"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { api, errorText } from "../live/api.ts";

/** Starts a conversation with an agent, and opens it, or the inbox, where its questions appear. */
export function useStartConversation(opens: "conversation" | "inbox" = "conversation"): {
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
      router.push(opens === "inbox" ? "/" : `/conversations/${session_id}`);
    } catch (reason) {
      setError(errorText(reason));
      setStarting(false);
    }
  };
  return { start, isStarting, error };
}
