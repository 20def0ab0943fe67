"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useMe } from "../team/me.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { KeyList } from "./key-list.tsx";

/** The API keys: the person's own, and for an admin everyone's. */
export function Keys() {
  const t = useTranslations("keys");
  const team = useTranslations("team");
  const { mode } = useMe();
  if (mode !== "team")
    return (
      <Page title={t("title")}>
        <EmptyState icon={<KeyRound size={20} />} title={team("none")}>
          {team("noneAbout")}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={t("title")} about={t("about")}>
      <KeyList kind="agent" />
      <KeyList kind="personal" />
    </Page>
  );
}
