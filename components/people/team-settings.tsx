"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { StrongSignIn, TeamChange } from "../../lib/protocol/space.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { Labelled } from "../ui/field.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { Section } from "../ui/page.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Switch } from "../ui/switch.tsx";
import { showToast } from "../ui/toast-store.ts";

const WHO = ["off", "admins", "everyone"] as const satisfies StrongSignIn[];

/** What admins decide for the whole team: how people must sign in, and whether agents run on Parley's own machine. */
export function TeamSettings() {
  const t = useTranslations("people");
  const settings = useLoaded(useCallback(async () => (await api.call("readTeam", {})).team, []));
  const set = (body: TeamChange) =>
    api.call("updateTeam", { body }).then(
      ({ team }) => settings.update(() => team),
      (reason) => {
        const text = errorCode(reason) === "forbidden" ? t("strongFirst") : errorText(reason);
        showToast({ text, tone: "danger" });
      },
    );
  return (
    <>
      <Section title={t("signIn")}>
        <LoadedPart loaded={settings} rows={1}>
          {({ strong_sign_in }) => (
            <Labelled label={t("strong")} hint={t(`strongAbout.${strong_sign_in}`)}>
              <Segmented
                label={t("strong")}
                value={strong_sign_in}
                choices={WHO.map((who) => ({ value: who, label: t(`strongWho.${who}`) }))}
                onChange={(who) => void set({ strong_sign_in: who })}
              />
            </Labelled>
          )}
        </LoadedPart>
      </Section>
      <Section title={t("agents")}>
        <LoadedPart loaded={settings} rows={1}>
          {({ built_in_agents }) => (
            <Switch
              label={t("agentsHere")}
              hint={t("agentsHereAbout")}
              isOn={built_in_agents}
              onChange={(isOn) => void set({ built_in_agents: isOn })}
            />
          )}
        </LoadedPart>
      </Section>
    </>
  );
}
