"use client";

import { Laptop, Smartphone, SquareTerminal } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { AuthSessionView } from "../../lib/protocol/sign-in.ts";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Ago } from "../ui/clock.tsx";
import { deviceIn, machineIn } from "../ui/device-words.ts";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { Row, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";

// Loaded on demand, because it brings in a large library.
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));

const PHONES = ["iPhone", "Android"];

/** The person's sessions, each with a button to end it. */
export function AuthSessions() {
  const t = useTranslations("sessions");
  const loaded = useLoaded(useCallback(async () => (await api.call("listAuthSessions", {})).sessions, []));
  const [isEndingAll, setEndingAll] = useState(false);
  const end = async (session: AuthSessionView) => {
    try {
      await api.call("endAuthSessions", { body: { id: session.id } });
      loaded.update((sessions) => sessions.filter(({ id }) => id !== session.id));
    } catch (reason) {
      showToast({ text: errorText(reason), tone: "danger" });
    }
  };
  const hasOthers = loaded.value?.some(({ current }) => !current) ?? false;
  return (
    <Section
      title={t("title")}
      about={t("about")}
      actions={hasOthers && <Button onClick={() => setEndingAll(true)}>{t("endOthers")}</Button>}
    >
      <LoadedPart loaded={loaded} rows={2}>
        {(sessions) => (
          <RowList label={t("title")}>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
            ))}
          </RowList>
        )}
      </LoadedPart>
      {isEndingAll && (
        <AskFirst
          title={t("endOthersTitle")}
          about={t("endOthersAbout")}
          confirm={t("endOthers")}
          errorText={errorText}
          onConfirm={async () => {
            await api.call("endAuthSessions", { body: {} });
            await loaded.reload();
          }}
          onClose={() => setEndingAll(false)}
        />
      )}
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: AuthSessionView; onEnd: () => void }) {
  const t = useTranslations("sessions");
  const { browser, system } = deviceIn(session.device);
  const isTerminal = session.kind === "terminal";
  const Icon = isTerminal ? SquareTerminal : PHONES.includes(system ?? "") ? Smartphone : Laptop;
  const name = isTerminal
    ? t("terminal", { machine: machineIn(session.device) })
    : browser && system
      ? t("device", { browser, system })
      : (browser ?? system ?? t("unknown"));
  return (
    <Row
      icon={<Icon size={16} aria-hidden />}
      title={
        <>
          {name}
          {session.current && <Badge tone="good">{t("current")}</Badge>}
        </>
      }
      facts={t.rich("facts", {
        address: session.address,
        from: session.seen_from,
        method: t(`methods.${session.method}`),
        seen: () => <Ago key="seen" at={session.seen_at} />,
      })}
    >
      {!session.current && (
        <Button variant="ghost" aria-label={t("endNamed", { name })} onClick={onEnd}>
          {t("end")}
        </Button>
      )}
    </Row>
  );
}
