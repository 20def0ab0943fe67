"use client";

import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";
import { useConfirmation } from "../live/confirmation.ts";
import { retrying } from "../ui/retrying.ts";
import { Shell } from "./shell.tsx";

const Bare = dynamic(retrying(async () => (await import("./bare.tsx")).Bare));
const ConfirmIdentity = dynamic(retrying(async () => (await import("./confirm-identity.tsx")).ConfirmIdentity));

/** Pages without the shell, even for people who are signed in. */
const BARE = ["/sign-in", "/setup", "/join", "/reset", "/device"];

type Props = ComponentProps<typeof Shell> & {
  /** Whether the visitor may read, or still has to sign in. */
  isKnown: boolean;
};

/** What is around a page. */
export function Frame({ isKnown, children, ...rest }: Props) {
  const path = usePathname();
  const isBare = BARE.some((each) => path === each || path.startsWith(`${each}/`));
  const confirmation = useConfirmation();
  return (
    <>
      {isKnown && !isBare ? <Shell {...rest}>{children}</Shell> : <Bare>{children}</Bare>}
      {confirmation && <ConfirmIdentity {...confirmation} />}
    </>
  );
}
