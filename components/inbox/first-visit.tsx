"use client";

import { Play } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { StartDemo } from "../conversations/start-demo.tsx";
import { buttonClass } from "../ui/button.tsx";

/** Shown before the first conversation: what Parley is, and a demo that asks right here. */
export function FirstVisit() {
  const t = useTranslations("first");
  return (
    <div className="mx-auto flex min-h-full max-w-xl flex-col justify-center px-6 py-12">
      <h1 className="text-2xl font-semibold tracking-tight text-balance">
        {t.rich("title", {
          // One sentence, one line.
          part: (words) => <span className="block">{words}</span>,
        })}
      </h1>
      <p className="mt-3 text-lg text-pretty text-muted">{t("about")}</p>
      <ol className="mt-8 space-y-4">
        {(["ask", "answer", "goOn"] as const).map((step, index) => (
          <li key={step} className="flex items-baseline gap-3">
            <span
              className="flex size-6 shrink-0 items-center justify-center rounded-full bg-chosen text-xs font-semibold text-accent"
              aria-hidden
            >
              {index + 1}
            </span>
            <span>{t(`steps.${step}`)}</span>
          </li>
        ))}
      </ol>
      <div className="mt-10 flex flex-wrap gap-2">
        <StartDemo className={buttonClass({ variant: "primary", size: "lg" })}>
          <Play size={16} aria-hidden />
          {t("demo")}
        </StartDemo>
        <Link className={buttonClass({ size: "lg" })} href="/connect">
          {t("connect")}
        </Link>
      </div>
    </div>
  );
}
