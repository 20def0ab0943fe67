"use client";

import { LinkIcon, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import type { Reply } from "../../lib/client.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { useLinkToken } from "./use-link-token.ts";

export type LinkDetails = Reply<"readLink">;

type Props = {
  /** The links that this page is for. */
  kind: LinkDetails["kind"];
  children: (link: LinkDetails, token: string) => ReactNode;
};

/** A page that a link leads to: shows what the link is for before anything happens, or what to do if it does not work. */
export function LinkPage({ kind, children }: Props) {
  const t = useTranslations("link");
  const token = useLinkToken();
  const [link, setLink] = useState<LinkDetails>();
  const [error, setError] = useState<{ isInvalid: boolean; text: string }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the person asks for it.
  useEffect(() => {
    if (!token) return;
    setError(undefined);
    api.call("readLink", { body: { token } }).then(setLink, (reason) => {
      const isInvalid = ["token_invalid", "invalid_request"].includes(errorCode(reason));
      setError({ isInvalid, text: errorText(reason) });
    });
  }, [token, attempt]);
  const isWrong = token === "" || error?.isInvalid || (link !== undefined && link.kind !== kind);
  if (isWrong)
    return (
      <div role="alert">
        <span
          className="mx-auto mb-4 flex size-10 items-center justify-center rounded-full bg-sunken text-muted"
          aria-hidden
        >
          <LinkIcon size={18} />
        </span>
        <BareHeading title={t(token === "" ? "missing" : "invalid")}>{t(`again.${kind}`)}</BareHeading>
      </div>
    );
  if (error)
    return (
      <>
        <BareHeading title={t("failed")}>
          <p role="alert">{error.text}</p>
        </BareHeading>
        <Button size="lg" className="w-full" onClick={() => setAttempt(attempt + 1)}>
          {t("retry")}
        </Button>
      </>
    );
  if (link && token) return children(link, token);
  return (
    <div role="status" className="flex justify-center py-10">
      <span className="sr-only">{t("reading")}</span>
      <LoaderCircle size={20} className="animate-spin text-accent" aria-hidden />
    </div>
  );
}
