"use client";

import { createContext, type ReactNode, useCallback, useContext } from "react";
import type { Right } from "../../lib/protocol/actor.ts";
import type { Me } from "../../lib/protocol/sign-in.ts";

const NOBODY: Me = {
  mode: "open",
  person: null,
  key: null,
  rights: [],
  spaces: [],
  locale: null,
  time_zone: null,
  quiet_hours: null,
  ways: { password: true, passkey: false, oidc: null },
};

const MeContext = createContext<Me>(NOBODY);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** Who uses this page, as the server knew it when it rendered the page. */
export function useMe(): Me {
  return useContext(MeContext);
}

/** Whether people have accounts here. Without any, anyone on this machine may do everything. */
export function useIsTeam(): boolean {
  return useMe().mode === "team";
}

export function useMay(right: Right): boolean {
  const { mode, rights } = useMe();
  return mode === "open" || rights.includes(right);
}

/** The name of a space. One that the person no longer sees has only its id. */
export function useSpaceName(): (id: string) => string {
  const { spaces } = useMe();
  return useCallback((id) => spaces.find((space) => space.id === id)?.name ?? id, [spaces]);
}
