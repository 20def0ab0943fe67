"use client";

import { Play } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { StartDemo } from "../conversations/start-demo.tsx";

/** Shown before the first conversation: what Parley is, and a demo. */
export function FirstVisit() {
  const t = useTranslations("first");
  return (
    <div className="mx-auto max-w-2xl px-6 py-16 sm:py-24">
      <h1 className="text-3xl font-semibold tracking-tight text-balance">{t("title")}</h1>
      <p className="mt-4 text-lg text-muted">{t("about")}</p>
      <ol className="mt-8 space-y-3">
        {(["ask", "answer", "goOn"] as const).map((step, index) => (
          <li key={step} className="flex gap-3">
            <span
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-chosen text-sm font-semibold text-accent"
              aria-hidden
            >
              {index + 1}
            </span>
            <span>{t(`steps.${step}`)}</span>
          </li>
        ))}
      </ol>
      <div className="mt-10 flex flex-wrap gap-3">
        <StartDemo className="button-primary min-h-11 px-5 text-base">
          <Play size={18} aria-hidden />
          {t("demo")}
        </StartDemo>
        <Link className="button min-h-11 px-5 text-base" href="/connect">
          {t("connect")}
        </Link>
      </div>
    </div>
  );
}
