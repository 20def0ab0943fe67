"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { Reply } from "../../lib/client.ts";
import type { ChannelKind, ChannelTarget, NewChannel } from "../../lib/protocol/notification.ts";
import { errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Labelled, TextField } from "../ui/field.tsx";
import { Segmented } from "../ui/segmented.tsx";

/** Kinds that a person types an address for; browsers add themselves. */
type TypedKind = Exclude<ChannelKind, "web_push">;

type Props = {
  kinds: readonly ChannelKind[];
  onAdd: (channel: NewChannel) => Promise<Reply<"addChannel">>;
  onAdded: () => void;
  onClose: () => void;
};

/** A new way to be notified. A webhook's secret is shown once, when it has been added. */
export function AddChannel({ kinds, onAdd, onAdded, onClose }: Props) {
  const t = useTranslations("notifications.add");
  const names = useTranslations("notifications.channels.kinds");
  const typed = kinds.filter((kind): kind is TypedKind => kind !== "web_push");
  const [kind, setKind] = useState<TypedKind>(typed[0] ?? "email");
  const [address, setAddress] = useState("");
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string>();
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (address.trim() === "") return setProblem(t("missing"));
    setBusy(true);
    setProblem(undefined);
    try {
      const added = await onAdd({ target: targetOf(kind, address.trim(), token.trim()) });
      onAdded();
      if (added.secret === null) onClose();
      else setSecret(added.secret);
    } catch (reason) {
      setProblem(errorText(reason));
    }
    setBusy(false);
  };
  if (secret)
    return (
      <Dialog title={t("secretTitle")} description={t("secretAbout")} size="sm" onClose={onClose}>
        <CopyField label={t("secret")} value={secret} />
        <div className="mt-4 flex justify-end">
          <Button onClick={onClose}>{t("done")}</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={t("title")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void add(event)}>
        {typed.length > 1 && (
          <Labelled label={t("kind")}>
            <Segmented
              label={t("kind")}
              value={kind}
              choices={typed.map((each) => ({ value: each, label: names(each) }))}
              onChange={(value) => {
                setKind(value);
                setProblem(undefined);
              }}
            />
          </Labelled>
        )}
        <TextField
          data-autofocus
          type={kind === "email" ? "email" : "text"}
          autoComplete={kind === "email" ? "email" : "off"}
          label={t(`address.${kind}`)}
          hint={t(`hint.${kind}`)}
          placeholder={PLACEHOLDERS[kind]}
          value={address}
          error={problem}
          onChange={(value) => {
            setAddress(value);
            setProblem(undefined);
          }}
        />
        {kind === "ntfy" && (
          <TextField
            label={t("token")}
            hint={t("tokenHint")}
            value={token}
            type="password"
            autoComplete="off"
            onChange={setToken}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const PLACEHOLDERS: Record<TypedKind, string> = {
  email: "ana@example.com",
  ntfy: "https://ntfy.sh/my-secret-topic",
  webhook: "https://example.com/parley",
  slack: "U0123ABCD",
};

function targetOf(kind: TypedKind, address: string, token: string): ChannelTarget {
  if (kind === "ntfy") return { kind, url: address, ...(token && { token }) };
  return kind === "webhook" ? { kind, url: address } : { kind, address };
}
