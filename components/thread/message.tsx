"use client";

import { Brain, CircleCheck, CornerDownRight, Info, MessageSquare, OctagonAlert, User, Wrench } from "lucide-react";
import { useTranslations } from "next-intl";
import { memo, type ReactNode } from "react";
import type { MessageContent, MessageView } from "../../lib/protocol/message.ts";
import { Moment, useDuration } from "../ui/clock.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { InfoText } from "./info-text.tsx";

type Props = {
  message: MessageView;
  /** How long the thinking took, if known. */
  took?: number | undefined;
};

/** One message of the thread, by type. Questions are not among them; they have cards. */
export const Message = memo(function Message({ message, took }: Props) {
  const t = useTranslations("thread");
  const duration = useDuration();
  const { type, role, content, timestamp } = message;
  switch (type) {
    case "text":
      return role === "user" ? (
        <UserMessage by={content.by ?? ""} text={content.text} at={timestamp} />
      ) : (
        <Entry kind="text" icon={<MessageSquare size={14} aria-hidden />} label={t("text")} at={timestamp}>
          <Markdown text={content.text} />
        </Entry>
      );
    case "thinking":
      return (
        <details data-kind="thinking" className="rounded-r-md px-4 py-2 text-thought-ink">
          <summary className="py-1 text-sm font-medium">
            <Brain size={14} className="mr-1.5 inline" aria-hidden />
            {took === undefined ? t("thought") : t("thoughtFor", { time: duration(took) })}
          </summary>
          <div className="pt-1 pb-2 whitespace-pre-wrap">
            <VisibleText>{content.thinking}</VisibleText>
          </div>
        </details>
      );
    case "tool_use":
      return (
        <details data-kind="tool_use" className="rounded-r-md px-4 py-2">
          <summary className="truncate py-1 text-sm">
            <Wrench size={14} className="mr-1.5 inline text-kind-tool-use" aria-hidden />
            <span className="font-medium text-kind-tool-use">{t("tool")}</span>{" "}
            <span className="font-mono">
              <VisibleText>{content.name}</VisibleText>
            </span>{" "}
            <span className="font-mono text-muted">{oneLine(content.input)}</span>
          </summary>
          <Payload value={content.input} />
        </details>
      );
    case "tool_result":
      return <ToolResult content={content} />;
    case "error":
      return (
        <Entry
          kind="error"
          icon={<OctagonAlert size={14} aria-hidden />}
          label={t("error")}
          at={timestamp}
          role="alert"
        >
          <p className="whitespace-pre-wrap">
            {content.code === "input_timeout" ? t("inputTimeout") : <VisibleText>{content.text ?? ""}</VisibleText>}
          </p>
        </Entry>
      );
    case "complete":
      return (
        <Entry kind="complete" icon={<CircleCheck size={14} aria-hidden />} label={t("complete")} at={timestamp}>
          {content.text && <Markdown text={content.text} />}
        </Entry>
      );
    case "ask_user_question":
      return null;
    case "info":
      // Recorded for inspection; there is nothing to read.
      if (content.event === "agent.system" && !content.text) return null;
      return (
        <Entry kind="info" icon={<Info size={14} aria-hidden />} label={t("info")} at={timestamp}>
          <p>
            <InfoText content={content} />
          </p>
        </Entry>
      );
  }
});

const LABELS: Record<string, string> = {
  text: "text-kind-text",
  error: "text-danger",
  complete: "text-kind-complete",
  info: "text-kind-info",
};

export function Entry({
  kind,
  icon,
  label,
  at,
  role,
  children,
}: {
  kind: string;
  icon: ReactNode;
  label: string;
  at?: string;
  role?: "alert";
  children: ReactNode;
}) {
  return (
    <div data-kind={kind} role={role} className="rounded-r-md px-4 py-2">
      <p className="mb-1 flex items-center justify-between gap-3 text-xs">
        <span className={`flex items-center gap-1.5 font-medium ${LABELS[kind] ?? ""}`}>
          {icon}
          {label}
        </span>
        {at && (
          <span className="text-muted">
            <Moment at={at} />
          </span>
        )}
      </p>
      {children}
    </div>
  );
}

function UserMessage({ by, text, at }: { by: string; text: string; at: string }) {
  const t = useTranslations("thread");
  return (
    <div className="ml-auto w-fit max-w-[85%] rounded-lg bg-sunken px-4 py-2">
      <p className="mb-1 flex items-center gap-1.5 text-xs text-muted">
        <User size={14} aria-hidden />
        <span className="font-medium">{by && by !== "local" ? by : t("person")}</span>
        <Moment at={at} />
      </p>
      <p className="whitespace-pre-wrap">
        <VisibleText>{text}</VisibleText>
      </p>
    </div>
  );
}

function ToolResult({ content }: { content: MessageContent["tool_result"] }) {
  const t = useTranslations("thread");
  const failed = content.is_error === true;
  const text = typeof content.content === "string" ? content.content : JSON.stringify(content.content, null, 2);
  const lines = text.split("\n").length;
  return (
    <details data-kind="tool_result" data-failed={failed || undefined} open={failed} className="rounded-r-md px-4 py-2">
      <summary className="truncate py-1 text-sm">
        {failed ? (
          <OctagonAlert size={14} className="mr-1.5 inline text-danger" aria-hidden />
        ) : (
          <CornerDownRight size={14} className="mr-1.5 inline text-kind-tool-result" aria-hidden />
        )}
        <span className={`font-medium ${failed ? "text-danger" : "text-kind-tool-result"}`}>
          {failed ? t("resultFailed") : t("result")}
        </span>{" "}
        <span className="font-mono text-muted">{lines > 1 ? t("lines", { count: lines }) : text.slice(0, 200)}</span>
      </summary>
      <pre tabIndex={0} className="max-h-96 overflow-auto font-mono text-sm whitespace-pre-wrap">
        <VisibleText>{text}</VisibleText>
      </pre>
    </details>
  );
}

function Payload({ value }: { value: unknown }) {
  return (
    <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-sm">
      <VisibleText>{JSON.stringify(value ?? null, null, 2)}</VisibleText>
    </pre>
  );
}

function oneLine(value: unknown): string {
  return (JSON.stringify(value ?? null) ?? "").slice(0, 200);
}
