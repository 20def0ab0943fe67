"use client";

import { useTranslations } from "next-intl";

/** Shown when a page could not be loaded, usually because the database is briefly unreachable. */
export default function Failed({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations("page");
  return (
    <div className="mx-auto max-w-2xl px-6 py-24">
      <h1 className="mb-3 text-2xl font-semibold tracking-tight">{t("failed")}</h1>
      <p className="mb-6 text-muted">{t("failedAbout")}</p>
      <button type="button" className="button-primary" onClick={reset}>
        {t("again")}
      </button>
    </div>
  );
}
