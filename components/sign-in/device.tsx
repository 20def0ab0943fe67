"use client";

import { CircleCheck, CircleOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { api, errorCode, errorText } from "../live/api.ts";
import { useMe } from "../team/me.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { retrying } from "../ui/retrying.ts";
import { BareHeading } from "./bare-heading.tsx";
import type { Machine } from "./device-decision.tsx";
import { asUserCode } from "./user-code.ts";

const DeviceDecision = dynamic(retrying(async () => (await import("./device-decision.tsx")).DeviceDecision));

/** Lets in a program that has no browser: the person types its code, sees what it is, and decides. */
export function Device() {
  const t = useTranslations("device");
  const { mode } = useMe();
  const [code, setCode] = useState("");
  const [machine, setMachine] = useState<Machine>();
  const [decided, setDecided] = useState<"allowed" | "denied">();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (reason) {
      setError(errorCode(reason) === "token_invalid" ? t("wrong") : errorText(reason));
    }
    setBusy(false);
  };
  const look = (event: FormEvent) => {
    event.preventDefault();
    if (code.length < 9) return setError(t("incomplete"));
    void attempt(async () => setMachine(await api.call("readDevice", { body: { user_code: code } })));
  };
  const decide = (allow: boolean, space_id?: string) =>
    attempt(async () => {
      await api.call("decideDevice", { body: { user_code: code, allow, ...(space_id && { space_id }) } });
      setDecided(allow ? "allowed" : "denied");
    });

  if (mode !== "team") return <BareHeading title={t("title")}>{t("open")}</BareHeading>;
  if (decided) {
    const Icon = decided === "allowed" ? CircleCheck : CircleOff;
    return (
      <div role="status">
        <Icon size={32} className={`mx-auto mb-4 ${decided === "allowed" ? "text-good" : "text-muted"}`} aria-hidden />
        <BareHeading title={t(`${decided}.title`)}>{t(`${decided}.about`)}</BareHeading>
        <a href="/" className={`${buttonClass({ size: "lg" })} w-full`}>
          {t("toInbox")}
        </a>
      </div>
    );
  }
  if (machine)
    return (
      <DeviceDecision machine={machine} error={error} isBusy={isBusy} onDecide={(...args) => void decide(...args)} />
    );
  return (
    <>
      <BareHeading title={t("title")}>{t("about")}</BareHeading>
      <form noValidate className="space-y-4" onSubmit={look}>
        <TextField
          label={t("code")}
          className="[&_input]:h-12 [&_input]:text-center [&_input]:font-mono [&_input]:text-lg [&_input]:tracking-[0.2em] [&_input]:uppercase"
          placeholder="WXYZ-1234"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          error={error}
          onChange={(value) => {
            setCode(asUserCode(value));
            setError(undefined);
          }}
        />
        <Button type="submit" variant="primary" size="lg" className="w-full" isBusy={isBusy}>
          {t("continue")}
        </Button>
      </form>
    </>
  );
}
