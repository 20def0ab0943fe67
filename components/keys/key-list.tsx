"use client";

import { Bot, KeyRound, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { KeyKind, KeyView } from "../../lib/protocol/api-key.ts";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { useMay, useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { useClock } from "../ui/clock.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { NoRows, OldRows, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";
import { isWorking } from "./key-state.ts";

// Loaded on demand, because it brings in a large library.
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));
const GiveKeyDialog = dynamic(retrying(async () => (await import("./give-key-dialog.tsx")).GiveKeyDialog));
const KeyRow = dynamic(retrying(async () => (await import("./key-row.tsx")).KeyRow));
const NewKeyDialog = dynamic(retrying(async () => (await import("./new-key-dialog.tsx")).NewKeyDialog));
const SecretDialog = dynamic(retrying(async () => (await import("./secret-dialog.tsx")).SecretDialog));

type Doing =
  | { verb: "create" }
  | { verb: "rotate" | "give" | "revoke"; key: KeyView }
  | { verb: "show"; key: KeyView; secret: string };

/** The keys of one kind, with what can be done with each. Keys that no longer work are folded away. */
export function KeyList({ kind }: { kind: KeyKind }) {
  const t = useTranslations("keys");
  const { person } = useMe();
  const mayAsk = useMay("ask");
  const clock = useClock(60_000);
  const loaded = useLoaded(useCallback(async () => (await api.call("listKeys", {})).keys, []));
  const [doing, setDoing] = useState<Doing>();
  const [showsOld, setShowsOld] = useState(false);
  const close = () => setDoing(undefined);
  const show = (made: { key: KeyView; secret: string }) => {
    void loaded.reload();
    setDoing({ verb: "show", ...made });
  };
  const update = (key: KeyView) => loaded.update((keys) => keys.map((each) => (each.id === key.id ? key : each)));
  const setReport = async ({ id, can_report }: KeyView) => {
    try {
      update((await api.call("updateKey", { params: { id }, body: { can_report: !can_report } })).key);
    } catch (reason) {
      showToast({ text: errorText(reason), tone: "danger" });
    }
  };
  const mayCreate = kind === "personal" || mayAsk;
  const Icon = kind === "agent" ? Bot : KeyRound;
  return (
    <Section
      title={t(`${kind}.title`)}
      about={t(`${kind}.about`)}
      actions={
        mayCreate && (
          <Button variant={kind === "agent" ? "primary" : "secondary"} onClick={() => setDoing({ verb: "create" })}>
            <Plus size={14} aria-hidden />
            {t(`${kind}.create`)}
          </Button>
        )
      }
    >
      <LoadedPart loaded={loaded} rows={2}>
        {(all) => {
          const keys = all.filter((key) => key.kind === kind);
          const old = keys.filter((key) => !isWorking(key, clock));
          const shown = showsOld ? keys : keys.filter((key) => isWorking(key, clock));
          return (
            <>
              {shown.length > 0 ? (
                <RowList label={t(`${kind}.title`)}>
                  {shown.map((key) => (
                    <KeyRow
                      key={key.id}
                      apiKey={key}
                      isOwn={[key.owner_id, ...key.responsible.map(({ id }) => id)].includes(person?.id ?? "")}
                      onReport={() => void setReport(key)}
                      onGive={() => setDoing({ verb: "give", key })}
                      onRotate={() => setDoing({ verb: "rotate", key })}
                      onRevoke={() => setDoing({ verb: "revoke", key })}
                    />
                  ))}
                </RowList>
              ) : (
                <NoRows icon={<Icon size={18} className="text-subtle" aria-hidden />}>{t(`${kind}.none`)}</NoRows>
              )}
              {old.length > 0 && (
                <OldRows isShown={showsOld} onShow={setShowsOld}>
                  {t(showsOld ? "hideOld" : "showOld", { count: old.length })}
                </OldRows>
              )}
            </>
          );
        }}
      </LoadedPart>
      {doing?.verb === "create" && <NewKeyDialog kind={kind} onClose={close} onCreated={show} />}
      {doing?.verb === "show" && <SecretDialog apiKey={doing.key} secret={doing.secret} onClose={close} />}
      {doing?.verb === "rotate" && (
        <AskFirst
          title={t("rotateTitle", { name: doing.key.name })}
          about={t("rotateAbout")}
          confirm={t("rotate")}
          errorText={errorText}
          onConfirm={async () => {
            const made = await api.call("rotateKey", { params: { id: doing.key.id } });
            // After this dialog has closed.
            setTimeout(() => show(made));
          }}
          onClose={close}
        />
      )}
      {doing?.verb === "give" && <GiveKeyDialog apiKey={doing.key} onClose={close} onGiven={update} />}
      {doing?.verb === "revoke" && (
        <AskFirst
          title={t("revokeTitle", { name: doing.key.name })}
          about={t(`${kind}.revokeAbout`)}
          confirm={t("revoke")}
          errorText={errorText}
          onConfirm={async () => {
            const { key } = await api.call("revokeKey", { params: { id: doing.key.id } });
            update(key);
          }}
          onClose={close}
        />
      )}
    </Section>
  );
}
