"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "./button.tsx";

/** A text to copy, such as a link or a key, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const t = useTranslations("copy");
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    // Without https there is no clipboard; the text is selected, so that Ctrl+C copies it.
    await navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    );
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="flex gap-2">
      <input
        ref={field}
        readOnly
        aria-label={label}
        className="field min-w-0 flex-1 bg-raised font-mono text-sm"
        value={value}
        onFocus={(event) => event.target.select()}
      />
      <Button data-autofocus variant="primary" size="lg" onClick={() => void copy()}>
        {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        <span role="status">{t(isCopied ? "copied" : "copy")}</span>
      </Button>
    </div>
  );
}
