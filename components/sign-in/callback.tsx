"use client";

import { LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { api, errorCode, errorText } from "../live/api.ts";
import { buttonClass } from "../ui/button.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { keptNext } from "./next-path.ts";

/** The page the identity provider sends the browser back to. Only the page's own request signs the person in. */
export function Callback() {
  const t = useTranslations("signIn");
  const [error, setError] = useState<string>();
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const url = window.location.href;
    // The code works once; it need not stay in the history.
    window.history.replaceState(null, "", window.location.pathname);
    api.call("finishOidc", { body: { url } }).then(
      () => window.location.replace(keptNext()),
      (reason) => {
        const code = errorCode(reason);
        if (code === "token_invalid") setError(t("callbackExpired"));
        else setError(code === "unauthorized" ? t("unknown") : errorText(reason));
      },
    );
  }, [t]);
  if (error === undefined)
    return (
      <BareHeading title={t("callback")}>
        <LoaderCircle size={20} className="mx-auto mt-4 animate-spin text-accent" aria-hidden />
        <p role="status" className="sr-only">
          {t("callback")}
        </p>
      </BareHeading>
    );
  return (
    <>
      <BareHeading title={t("callbackFailed")}>
        <p role="alert">{error}</p>
      </BareHeading>
      <a href="/sign-in" className={`${buttonClass({ variant: "primary", size: "lg" })} w-full`}>
        {t("again")}
      </a>
    </>
  );
}
