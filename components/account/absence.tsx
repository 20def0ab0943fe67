"use client";

import { CalendarOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { api, errorText } from "../live/api.ts";
import { isAway } from "../team/away.ts";
import { usePeople } from "../team/use-people.ts";
import { Button } from "../ui/button.tsx";
import { useClock } from "../ui/clock.tsx";
import { Row, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";

// Loaded on demand, because it brings in a large library.
const AwayDialog = dynamic(retrying(async () => (await import("../team/away-dialog.tsx")).AwayDialog));

/** Whether the person is out of office, until when, and who covers for them. */
export function Absence({ person }: { person: PersonView }) {
  const t = useTranslations("away");
  const format = useFormatter();
  const router = useRouter();
  const clock = useClock(60_000);
  const { value: people = [] } = usePeople();
  const [isLeaving, setLeaving] = useState(false);
  const isOut = isAway(person, clock);
  const delegate = people.find(({ id }) => id === person.delegate_id)?.name;
  const comeBack = async () => {
    try {
      await api.call("updateMe", { body: { out_of_office_until: null, delegate_id: null } });
      router.refresh();
    } catch (reason) {
      showToast({ text: errorText(reason), tone: "danger" });
    }
  };
  const until =
    person.out_of_office_until &&
    format.dateTime(new Date(person.out_of_office_until), { dateStyle: "full", timeStyle: "short" });
  return (
    <Section title={t("title")} about={t("about")}>
      <RowList label={t("title")}>
        <Row
          icon={<CalendarOff size={16} className={isOut ? "text-warning" : ""} aria-hidden />}
          title={isOut ? t("isOut", { until: until ?? "" }) : t("isHere")}
          facts={isOut ? (delegate ? t("standIn", { name: delegate }) : t("noStandIn")) : undefined}
        >
          {isOut && <Button onClick={() => void comeBack()}>{t("back")}</Button>}
          <Button onClick={() => setLeaving(true)}>{t(isOut ? "change" : "leave")}</Button>
        </Row>
      </RowList>
      {isLeaving && <AwayDialog person={person} onClose={() => setLeaving(false)} />}
    </Section>
  );
}
