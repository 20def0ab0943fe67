"use client";

import { Laptop, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Reply } from "../../lib/client.ts";
import { EVERYONE } from "../../lib/protocol/space.ts";
import { useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { Ago } from "../ui/clock.tsx";
import { Labelled } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { BareHeading } from "./bare-heading.tsx";

export type Machine = Reply<"readDevice">;

/** Which machine it is and what it may do, before the person decides. */
export function DeviceDecision({
  machine,
  error,
  isBusy,
  onDecide,
}: {
  machine: Machine;
  error: string | undefined;
  isBusy: boolean;
  onDecide: (allow: boolean, space_id?: string) => void;
}) {
  const t = useTranslations("device");
  const { spaces } = useMe();
  const [space, setSpace] = useState(spaces.find(({ id }) => id === EVERYONE)?.id ?? spaces[0]?.id ?? EVERYONE);
  const isAgent = machine.purpose === "agent";
  return (
    <>
      <BareHeading title={t(isAgent ? "agentTitle" : "terminalTitle")}>
        {t(isAgent ? "agentAbout" : "terminalAbout")}
      </BareHeading>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 rounded-lg border border-line px-4 py-3 text-sm">
        <dt className="text-muted">{t("machine")}</dt>
        <dd className="flex items-center gap-2 font-medium">
          <Laptop size={14} className="shrink-0 text-subtle" aria-hidden />
          <VisibleText>{machine.machine}</VisibleText>
        </dd>
        {machine.agent && (
          <>
            <dt className="text-muted">{t("agent")}</dt>
            <dd className="font-medium">
              <VisibleText>{machine.agent}</VisibleText>
            </dd>
          </>
        )}
        <dt className="text-muted">{t("address")}</dt>
        <dd className="tabular-nums">{machine.address}</dd>
        <dt className="text-muted">{t("asked")}</dt>
        <dd>
          <Ago at={machine.created_at} />
        </dd>
      </dl>
      {isAgent && (
        <div className="mb-4">
          <Labelled label={t("space")} hint={t("spaceHint")}>
            <Select
              label={t("space")}
              className="h-9 w-full"
              value={space}
              options={spaces.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setSpace}
            />
          </Labelled>
        </div>
      )}
      <p className="mb-4 flex gap-2 rounded-md bg-warning-fill px-3 py-2 text-sm text-warning">
        <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
        <span>{t("warning")}</span>
      </p>
      {error && (
        <p role="alert" className="mb-4 text-sm text-danger">
          {error}
        </p>
      )}
      <div className="grid grid-cols-2 gap-2">
        <Button size="lg" isBusy={isBusy} onClick={() => onDecide(false)}>
          {t("deny")}
        </Button>
        <Button size="lg" variant="primary" isBusy={isBusy} onClick={() => onDecide(true, isAgent ? space : undefined)}>
          {t("allow")}
        </Button>
      </div>
    </>
  );
}
