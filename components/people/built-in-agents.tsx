"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { Switch } from "../ui/switch.tsx";
import { showToast } from "../ui/toast-store.ts";

/** Lets admins turn on the agents that work on Parley's own machine. */
export function BuiltInAgents() {
  const t = useTranslations("people");
  const settings = useLoaded(useCallback(async () => (await api.call("readTeam", {})).team, []));
  const set = async (built_in_agents: boolean) => {
    const { team } = await api.call("updateTeam", { body: { built_in_agents } });
    settings.update(() => team);
  };
  return (
    <LoadedPart loaded={settings} rows={1}>
      {({ built_in_agents }) => (
        <Switch
          label={t("agentsHere")}
          hint={t("agentsHereAbout")}
          isOn={built_in_agents}
          onChange={(isOn) => void set(isOn).catch((reason) => showToast({ text: errorText(reason), tone: "danger" }))}
        />
      )}
    </LoadedPart>
  );
}
