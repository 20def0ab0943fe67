"use client";

import { CloudOff } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { SkeletonRows } from "./skeleton.tsx";

/** Content loaded in the browser: grey rows until it is there, and the reason if it cannot be read. */
export function LoadedPart<Value>({
  loaded: { value, error, reload },
  rows = 3,
  children,
}: {
  loaded: { value: Value | undefined; error: string | undefined; reload: () => Promise<void> };
  rows?: number;
  children: (value: Value) => ReactNode;
}) {
  const t = useTranslations("loading");
  if (value !== undefined) return children(value);
  if (error !== undefined)
    return (
      <div className="rounded-lg border border-line">
        <EmptyState
          role="alert"
          icon={<CloudOff size={20} />}
          title={t("failed")}
          actions={<Button onClick={() => void reload()}>{t("again")}</Button>}
        >
          {error}
        </EmptyState>
      </div>
    );
  return (
    <div role="status" className="overflow-hidden rounded-lg border border-line">
      <span className="sr-only">{t("loading")}</span>
      <SkeletonRows rows={rows} />
    </div>
  );
}
