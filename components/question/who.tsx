"use client";

import { useTranslations } from "next-intl";
import type { DecidedBy } from "../../lib/protocol/actor.ts";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { useIsTeam } from "../team/me.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

export function Name({ by }: { by: DecidedBy }) {
  const t = useTranslations("who");
  const isTeam = useIsTeam();
  const name = by.kind === "default" ? t("default") : by.kind === "system" ? t("system") : by.name;
  if (!isNoName(name)) return <VisibleText>{name}</VisibleText>;
  // While nobody has an account, only one person can open a page here: whoever reads this.
  return t(!isTeam && by.provenance === "browser" ? "you" : "local");
}

/** A name, the surface it acted from, and how Parley knows. */
export function Who({ by }: { by: DecidedBy }) {
  const t = useTranslations("who");
  return (
    <>
      <Name by={by} /> · {t(`surfaces.${by.surface}`)}
      <Provenance by={by} />
    </>
  );
}

/** How Parley knows who it was. A browser needs no words: the surface says it already. */
export function Provenance({ by: { provenance } }: { by: DecidedBy }) {
  const t = useTranslations("who");
  return provenance === undefined || provenance === "browser" ? null : <> · {t(`provenance.${provenance}`)}</>;
}
