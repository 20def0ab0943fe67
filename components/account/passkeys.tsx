"use client";

import { Fingerprint, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { PasskeyView } from "../../lib/protocol/sign-in.ts";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { Ago } from "../ui/clock.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { NoRows, Row, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";

// Loaded on demand, because it brings in a large library.
const AddPasskey = dynamic(retrying(async () => (await import("./add-passkey.tsx")).AddPasskey));
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));

/** The person's passkeys. */
export function Passkeys() {
  const t = useTranslations("passkeys");
  const loaded = useLoaded(useCallback(async () => (await api.call("listPasskeys", {})).passkeys, []));
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<PasskeyView>();
  return (
    <Section
      title={t("title")}
      about={t("about")}
      actions={
        <Button onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden />
          {t("add")}
        </Button>
      }
    >
      <LoadedPart loaded={loaded} rows={1}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <NoRows icon={<Fingerprint size={18} className="text-subtle" aria-hidden />}>{t("none")}</NoRows>
          ) : (
            <RowList label={t("title")}>
              {passkeys.map((passkey) => (
                <Row
                  key={passkey.id}
                  icon={<Fingerprint size={16} aria-hidden />}
                  title={passkey.name}
                  facts={t.rich(passkey.used_at ? "used" : "unused", {
                    used: () => <Ago key="used" at={passkey.used_at ?? passkey.created_at} />,
                    added: () => <Ago key="added" at={passkey.created_at} />,
                  })}
                >
                  <Button variant="ghost" onClick={() => setRemoving(passkey)}>
                    {t("remove")}
                  </Button>
                </Row>
              ))}
            </RowList>
          )
        }
      </LoadedPart>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            void loaded.reload();
          }}
        />
      )}
      {removing && (
        <AskFirst
          title={t("removeTitle", { name: removing.name })}
          about={t("removeAbout")}
          confirm={t("remove")}
          errorText={errorText}
          onConfirm={async () => {
            await api.call("removePasskey", { body: { id: removing.id } });
            await loaded.reload();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  );
}
