"use client";

import { Brain, ChevronRight, Info, OctagonAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { memo, type ReactNode } from "react";
import type { MessageContent, MessageView } from "../../lib/protocol/message.ts";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Moment, useDuration } from "../ui/clock.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { InfoText } from "./info-text.tsx";
import { ToolCall, ToolResult } from "./tool-call.tsx";

type Props = {
  message: MessageView;
  /** How long the thinking took, if known. */
  took?: number | undefined;
  /** The result of this tool call, if there is one. */
  result?: MessageContent["tool_result"] | undefined;
  /** The agent is still working on it. */
  isRunning?: boolean;
};

/** One message of the thread, by type. Questions are not among them; they have cards. */
export const Message = memo(function Message({ message, took, result, isRunning }: Props) {
  const t = useTranslations("thread");
  const { type, role, content, timestamp } = message;
  switch (type) {
    case "text":
      return role === "user" ? (
        <PersonMessage by={content.by ?? ""} text={content.text} at={timestamp} />
      ) : (
        <Entry kind="text" label={t("text")}>
          <Markdown text={content.text} />
        </Entry>
      );
    case "thinking":
      return <Thought text={content.thinking} took={took} />;
    case "tool_use":
      return <ToolCall content={content} result={result} isRunning={isRunning ?? false} />;
    case "tool_result":
      return <ToolResult content={content} />;
    case "error":
      return (
        <div data-kind="error" role="alert" className="flex gap-2 rounded-r-md px-3 py-2 text-sm">
          <OctagonAlert size={16} className="mt-0.5 shrink-0 text-danger" aria-hidden />
          <span className="sr-only">{t("error")}</span>
          <p className="min-w-0 whitespace-pre-wrap" dir="auto">
            {content.code === "input_timeout" ? t("inputTimeout") : <VisibleText>{content.text ?? ""}</VisibleText>}
          </p>
        </div>
      );
    case "complete":
      return content.text ? (
        <Entry kind="complete" label={t("complete")}>
          <Markdown text={content.text} />
        </Entry>
      ) : (
        <p data-kind="complete" className="sr-only">
          {t("complete")}
        </p>
      );
    case "ask_user_question":
      return null;
    case "info":
      if (!isShown(message)) return null;
      return (
        <div data-kind="info" className="flex gap-2 py-0.5 pl-3 text-xs text-subtle">
          <Info size={14} className="mt-px shrink-0" aria-hidden />
          <span className="sr-only">{t("info")}</span>
          <p className="min-w-0">
            <InfoText content={content} /> <Moment at={timestamp} />
          </p>
        </div>
      );
  }
});

/** Whether there is anything to read in a message. Some are recorded for inspection only. */
export function isShown({ type, content }: MessageView): boolean {
  if (type === "info") return content.event !== "agent.system" || Boolean(content.text);
  return type !== "ask_user_question";
}

/** What an agent says. Its kind is a thin edge, and a word for assistive technology. */
export function Entry({ kind, label, children }: { kind: string; label: string; children: ReactNode }) {
  return (
    <div data-kind={kind} className="pl-3" dir="auto">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** The name of an agent, once above everything that it says in a row. */
export function AgentName({ name, at }: { name: string; at: string }) {
  return (
    <p className="flex items-center gap-2 text-sm">
      <Avatar name={name} kind="agent" />
      <span className="min-w-0 truncate font-medium">
        <VisibleText>{name}</VisibleText>
      </span>
      <span className="text-xs text-subtle tabular-nums">
        <Moment at={at} />
      </span>
    </p>
  );
}

function Thought({ text, took }: { text: string; took: number | undefined }) {
  const t = useTranslations("thread");
  const duration = useDuration();
  return (
    <details data-kind="thinking" className="rounded-r-md px-3">
      <summary className="flex min-h-7 w-fit cursor-pointer list-none items-center gap-1.5 text-xs text-subtle hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight size={12} className="transition-transform [details[open]>summary>&]:rotate-90" aria-hidden />
        <Brain size={14} aria-hidden />
        {took === undefined ? t("thought") : t("thoughtFor", { time: duration(took) })}
      </summary>
      <div className="pt-1 pb-2 pl-5 text-sm whitespace-pre-wrap text-muted" dir="auto">
        <VisibleText>{text}</VisibleText>
      </div>
    </details>
  );
}

function PersonMessage({ by, text, at }: { by: string; text: string; at: string }) {
  const t = useTranslations("thread");
  const name = by === "" || isNoName(by) ? t("person") : by;
  return (
    <div className="ml-auto w-fit max-w-[85%]">
      <p className="mb-1 flex items-center justify-end gap-1.5 text-xs text-subtle">
        <span className="font-medium">
          <VisibleText>{name}</VisibleText>
        </span>
        <Moment at={at} />
        <Avatar name={name} kind="person" size="sm" />
      </p>
      <p className="ml-auto w-fit rounded-lg bg-sunken px-3.5 py-2 whitespace-pre-wrap" dir="auto">
        <VisibleText>{text}</VisibleText>
      </p>
    </div>
  );
}
