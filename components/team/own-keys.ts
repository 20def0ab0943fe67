"use client";

import { useEffect, useState } from "react";
import { api } from "../live/api.ts";
import { useMe } from "./me.tsx";

let known: Promise<ReadonlySet<string>> | undefined;

async function read(owner: string): Promise<ReadonlySet<string>> {
  const { keys } = await api.call("listKeys", {});
  return new Set(keys.filter(({ owner_id }) => owner_id === owner).map(({ id }) => id));
}

/** Whether this person owns a key. Read once, and only where it matters; false until it is known. */
export function useOwnsKey(key_id: string | undefined, matters: boolean): boolean {
  const me = useMe().person?.id;
  const [own, setOwn] = useState<ReadonlySet<string>>();
  useEffect(() => {
    if (!matters || me === undefined || key_id === undefined) return;
    known ??= read(me);
    known.then(
      async (keys) => {
        // Created since it was read.
        if (!keys.has(key_id)) known = undefined;
        setOwn(keys);
      },
      () => {
        known = undefined;
      },
    );
  }, [matters, me, key_id]);
  return matters && key_id !== undefined && (own?.has(key_id) ?? false);
}
