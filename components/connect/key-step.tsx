"use client";

import { CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import type { KeyView } from "../../lib/protocol/api-key.ts";
import { NewKeyForm } from "../keys/new-key-form.tsx";
import { CopyField } from "../ui/copy-field.tsx";

type Made = { key: KeyView; secret: string };

type Props = {
  made: Made | undefined;
  /** The name that is filled in for the agent. */
  agent: string;
  mayAsk: boolean;
  onMade: (made: Made) => void;
};

/** Creates the key that the agent asks with. It is shown only this once, and filled into the steps below. */
export function KeyStep({ made, agent, mayAsk, onMade }: Props) {
  const t = useTranslations("connect");
  const keys = useTranslations("keys");
  if (!mayAsk) return <p>{t("noKey")}</p>;
  if (made)
    return (
      <>
        <p className="mb-3 flex items-center gap-2" role="status">
          <CircleCheck size={16} className="shrink-0 text-good" aria-hidden />
          {t("keyMade", { name: made.key.name })}
        </p>
        <CopyField label={keys("secret")} value={made.secret} />
      </>
    );
  return (
    <>
      <p className="mb-3">{t("createKey")}</p>
      <div className="max-w-lg rounded-lg border border-line p-4">
        <NewKeyForm key={agent} kind="agent" agent={agent} onCreated={onMade} />
      </div>
    </>
  );
}
