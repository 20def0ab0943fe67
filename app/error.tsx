"use client";

import { CloudAlert } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button, buttonClass } from "../components/ui/button.tsx";
import { EmptyState } from "../components/ui/empty-state.tsx";

/** Shown when a page could not be loaded, usually because the database is briefly unreachable. */
export default function Failed({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations("page");
  return (
    <div className="flex min-h-full items-center">
      <h1 className="sr-only">Parley</h1>
      <EmptyState
        role="alert"
        icon={<CloudAlert size={20} />}
        title={t("failed")}
        actions={
          <>
            <Button variant="primary" onClick={reset}>
              {t("again")}
            </Button>
            <Link className={buttonClass()} href="/">
              {t("toInbox")}
            </Link>
          </>
        }
      >
        {t("failedAbout")}
      </EmptyState>
    </div>
  );
}
