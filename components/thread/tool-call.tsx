"use client";

import { ChevronRight, LoaderCircle, TerminalSquare } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { MessageContent } from "../../lib/protocol/message.ts";
import { Button } from "../ui/button.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { resultSummary, toolSummary } from "./tool-summary.ts";

type Result = MessageContent["tool_result"];

/** A tool call and its result in one line, which opens to both. */
export function ToolCall({
  content,
  result,
  isRunning = false,
}: {
  content: MessageContent["tool_use"];
  result?: Result | undefined;
  /** The agent is still waiting for the result. */
  isRunning?: boolean;
}) {
  const t = useTranslations("thread");
  const [isRaw, setRaw] = useState(false);
  const summary = toolSummary(content.input);
  const command = commandOf(content.input);
  return (
    <details data-kind="tool_use" open={result?.is_error === true} className="pl-3">
      <summary className={LINE}>
        <Marker />
        <TerminalSquare size={14} className="shrink-0" aria-hidden />
        <span className="sr-only">{t("tool")}</span>
        <span className="shrink-0 font-medium text-muted">
          <VisibleText>{content.name}</VisibleText>
        </span>
        <span className="min-w-0 truncate font-mono">
          <VisibleText>{summary}</VisibleText>
        </span>
        <span className="ml-auto flex min-w-0 shrink-0 items-center pl-2">
          {result ? <ResultSummary content={result} /> : isRunning && <Spinner />}
        </span>
      </summary>
      <div className="space-y-2 pt-1 pb-2 pl-5">
        {isRaw || summary === "" ? (
          <Output text={JSON.stringify(content.input ?? null, null, 2)} />
        ) : (
          // A long command in full; a short one is already in the line above.
          command !== undefined && command !== summary && <Output text={command} />
        )}
        {result && <ResultBody content={result} />}
        {summary !== "" && (
          <Button size="sm" variant="ghost" className="-ml-2" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {t(isRaw ? "hideJson" : "showJson")}
          </Button>
        )}
      </div>
    </details>
  );
}

/** The result of a call that is not in view. */
export function ToolResult({ content }: { content: Result }) {
  const t = useTranslations("thread");
  return (
    <details
      data-kind="tool_result"
      data-failed={content.is_error || undefined}
      open={content.is_error === true}
      className="rounded-r-md pr-2 pl-3"
    >
      <summary className={LINE}>
        <Marker />
        <span className="shrink-0 font-medium text-muted">{t("result")}</span>
        <ResultSummary content={content} />
      </summary>
      <div className="pt-1 pb-2 pl-5">
        <Output text={textOf(content)} isFailed={content.is_error === true} />
      </div>
    </details>
  );
}

const LINE =
  "flex min-h-7 cursor-pointer list-none items-center gap-1.5 rounded-md text-xs text-subtle hover:text-ink pointer-coarse:min-h-11";

function Marker() {
  return (
    <ChevronRight size={12} className="shrink-0 transition-transform [details[open]>summary>&]:rotate-90" aria-hidden />
  );
}

function Spinner() {
  const t = useTranslations("thread");
  return (
    <>
      <LoaderCircle size={12} className="animate-spin" aria-hidden />
      <span className="sr-only">{t("toolRunning")}</span>
    </>
  );
}

function ResultSummary({ content }: { content: Result }) {
  const t = useTranslations("thread");
  const { lines, line } = resultSummary(textOf(content));
  if (content.is_error) return <span className="font-medium text-danger">{t("resultFailed")}</span>;
  if (lines === 0) return <span>{t("noOutput")}</span>;
  if (lines > 1) return <span className="tabular-nums">{t("lines", { count: lines })}</span>;
  return (
    <span className="max-w-48 truncate sm:max-w-72">
      <VisibleText>{line}</VisibleText>
    </span>
  );
}

function ResultBody({ content }: { content: Result }) {
  return (
    <div data-kind="tool_result" data-failed={content.is_error || undefined} className="rounded-md border-l-0">
      <Output text={textOf(content)} isFailed={content.is_error === true} />
    </div>
  );
}

function Output({ text, isFailed = false }: { text: string; isFailed?: boolean }) {
  if (text.trim() === "") return null;
  return (
    <pre
      tabIndex={0}
      className={`max-h-96 overflow-auto rounded-md px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap ${
        isFailed ? "bg-danger-fill" : "bg-raised"
      }`}
    >
      <VisibleText>{text}</VisibleText>
    </pre>
  );
}

function textOf({ content }: Result): string {
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

function commandOf(input: unknown): string | undefined {
  return typeof input === "object" && input !== null && "command" in input && typeof input.command === "string"
    ? input.command
    : undefined;
}
