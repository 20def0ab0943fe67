"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { KeyKind, KeyView, NewKey } from "../../lib/protocol/api-key.ts";
import { EVERYONE } from "../../lib/protocol/space.ts";
import { api, errorText } from "../live/api.ts";
import { useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { Labelled, TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";

const DAYS = { agent: ["never", "365", "90", "30"], personal: ["30", "90", "365"] } as const;

type Props = {
  kind: KeyKind;
  /** The name that is filled in for the agent. */
  agent?: string;
  onClose?: () => void;
  onCreated: (made: { key: KeyView; secret: string }) => void;
};

/** What a new key is for. */
export function NewKeyForm({ kind, agent: suggested = "", onClose, onCreated }: Props) {
  const t = useTranslations("keys");
  const { spaces } = useMe();
  const [name, setName] = useState("");
  const [agent, setAgent] = useState(suggested);
  const [space_id, setSpace] = useState(spaces.find(({ id }) => id === EVERYONE)?.id ?? spaces[0]?.id ?? EVERYONE);
  const [can_report, setReport] = useState(false);
  const [days, setDays] = useState<string>(kind === "agent" ? "never" : "90");
  const [problem, setProblem] = useState<{ name?: string; agent?: string; other?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (kind === "agent" && agent.trim() === "") return setProblem({ agent: t("agentMissing") });
    const named = name.trim() || agent.trim();
    if (named === "") return setProblem({ name: t("nameMissing") });
    const expires_in_days = days === "never" ? null : Number(days);
    const body: NewKey =
      kind === "agent"
        ? { kind, name: named, agent: agent.trim(), space_id, can_report, expires_in_days }
        : { kind, name: named, expires_in_days };
    setBusy(true);
    setProblem({});
    try {
      onCreated(await api.call("createKey", { body }));
    } catch (reason) {
      setProblem({ other: errorText(reason) });
      setBusy(false);
    }
  };
  return (
    <form noValidate className="space-y-4" onSubmit={(event) => void create(event)}>
      {kind === "agent" && (
        <TextField
          label={t("agentName")}
          hint={t("agentNameHint")}
          placeholder="claude-code"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={100}
          value={agent}
          error={problem.agent}
          onChange={setAgent}
        />
      )}
      <TextField
        label={t(kind === "agent" ? "nameOptional" : "name")}
        hint={t(`${kind}.nameHint`)}
        maxLength={100}
        value={name}
        error={problem.name}
        onChange={setName}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {kind === "agent" && (
          <Labelled label={t("space")}>
            <Select
              label={t("space")}
              className="h-9 w-full"
              value={space_id}
              options={spaces.map((space) => ({ value: space.id, label: space.name }))}
              onChange={setSpace}
            />
          </Labelled>
        )}
        <Labelled label={t("expires")}>
          <Select
            label={t("expires")}
            className="h-9 w-full"
            value={days}
            options={DAYS[kind].map((each) => ({
              value: each,
              label: each === "never" ? t("never") : t("inDays", { days: Number(each) }),
            }))}
            onChange={setDays}
          />
        </Labelled>
      </div>
      {kind === "agent" && (
        <Switch label={t("canReport")} hint={t("canReportHint")} isOn={can_report} onChange={setReport} />
      )}
      {problem.other && (
        <p role="alert" className="text-sm text-danger">
          {problem.other}
        </p>
      )}
      <div className="flex justify-end gap-2">
        {onClose && <Button onClick={onClose}>{t("cancel")}</Button>}
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t("create")}
        </Button>
      </div>
    </form>
  );
}
