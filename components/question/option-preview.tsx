"use client";

import { Maximize2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { retrying } from "../ui/retrying.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import type { AskQuestion } from "./draft.ts";

const Dialog = dynamic(retrying(async () => (await import("../ui/dialog.tsx")).Dialog));

/** What an option would look like, as the agent shows it. */
export function OptionPreview({ option, className }: { option: AskQuestion["options"][number]; className: string }) {
  const t = useTranslations("card");
  const [isFull, setFull] = useState(false);
  if (!option.preview) return null;
  const name = t("previewOf", { option: option.label });
  return (
    <figure aria-label={name} className={`min-w-0 overflow-hidden rounded-md border border-line ${className}`}>
      <figcaption className="flex items-center justify-between gap-2 border-b border-line bg-raised py-0.5 pr-1 pl-3 text-xs text-subtle">
        <span className="truncate">
          <VisibleText>{option.label}</VisibleText>
        </span>
        <Button size="sm" variant="ghost" aria-label={t("previewFull")} onClick={() => setFull(true)}>
          <Maximize2 size={12} aria-hidden />
        </Button>
      </figcaption>
      {/* What is nothing but code needs no second frame. */}
      <div
        tabIndex={0}
        className="max-h-80 overflow-auto p-3 text-sm has-[>.prose>.code-block:only-child]:p-0 [&>.prose>.code-block:only-child]:rounded-none [&>.prose>.code-block:only-child]:border-0"
      >
        <Markdown text={option.preview} />
      </div>
      {isFull && (
        <Dialog title={name} size="lg" onClose={() => setFull(false)}>
          <Markdown text={option.preview} />
        </Dialog>
      )}
    </figure>
  );
}
