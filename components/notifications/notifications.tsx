"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { api } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { useIsTeam, useMay, useMe } from "../team/me.tsx";
import { Page } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { ChannelList } from "./channel-list.tsx";
import { ThisDevice } from "./this-device.tsx";

// Loaded on demand, because each brings in its own library.
const OnPhone = dynamic(retrying(async () => (await import("./on-phone.tsx")).OnPhone));
const QuietHours = dynamic(retrying(async () => (await import("./quiet-hours.tsx")).QuietHours));
const SpaceWishes = dynamic(retrying(async () => (await import("./space-wishes.tsx")).SpaceWishes));

/** How the person is notified: this device, other ways, and when not to. */
export function Notifications() {
  const t = useTranslations("notifications");
  const isTeam = useIsTeam();
  const { person } = useMe();
  const may = useMay("notify");
  const loaded = useLoaded(useCallback(() => api.call("listChannels", {}), []));
  if (!may) return <Page title={t("title")}>{t("notYou")}</Page>;
  return (
    <Page title={t("title")} about={t("about")}>
      <ThisDevice loaded={loaded} />
      <ChannelList
        title={t("channels.title")}
        about={t("channels.about")}
        none={t("channels.none")}
        loaded={loaded}
        hidden={["webhook", "web_push"]}
        onAdd={(body) => api.call("addChannel", { body })}
      />
      <OnPhone />
      {isTeam && person && <QuietHours />}
      {isTeam && person && <SpaceWishes />}
    </Page>
  );
}
