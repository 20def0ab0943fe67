"use client";

import { useTranslations } from "next-intl";
import type { DecidedBy } from "../../lib/protocol/actor.ts";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { VisibleText } from "../ui/visible-text.tsx";

export function Name({ by }: { by: DecidedBy }) {
  const t = useTranslations("who");
  const name = by.kind === "default" ? t("default") : by.kind === "system" ? t("system") : by.name;
  return <VisibleText>{isNoName(name) ? t("local") : name}</VisibleText>;
}

/** A name and the surface it acted from. */
export function Who({ by }: { by: DecidedBy }) {
  const t = useTranslations("who");
  return (
    <>
      <Name by={by} /> · {t(`surfaces.${by.surface}`)}
    </>
  );
}
