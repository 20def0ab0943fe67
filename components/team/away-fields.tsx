"use client";

import { useTranslations } from "next-intl";
import { Labelled, TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useMe } from "./me.tsx";
import { usePeople } from "./use-people.ts";

const NOBODY = "nobody";

type Props = {
  until: string;
  delegate: string | null;
  error: string | undefined;
  onUntil: (until: string) => void;
  onDelegate: (id: string | null) => void;
};

/** Until when a person is away, and who gets questions assigned to them in the meantime. */
export function AwayFields({ until, delegate, error, onUntil, onDelegate }: Props) {
  const t = useTranslations("away");
  const { person } = useMe();
  const { value: people = [] } = usePeople();
  const others = people.filter(({ id, status, role }) => id !== person?.id && status === "active" && role !== "viewer");
  return (
    <>
      <TextField type="datetime-local" label={t("until")} value={until} error={error} onChange={onUntil} />
      <Labelled label={t("delegate")} hint={t("delegateHint")}>
        <Select
          label={t("delegate")}
          className="h-9 w-full"
          value={others.some(({ id }) => id === delegate) ? (delegate ?? NOBODY) : NOBODY}
          options={[
            { value: NOBODY, label: t("nobody") },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => onDelegate(id === NOBODY ? null : id)}
        />
      </Labelled>
    </>
  );
}
