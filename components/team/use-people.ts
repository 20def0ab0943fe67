"use client";

import { useCallback } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { api } from "../live/api.ts";
import { type Loaded, useLoaded } from "../live/use-loaded.ts";

/** The people of this Parley, by name. */
export function usePeople(): Loaded<PersonView[]> {
  return useLoaded(useCallback(async () => (await api.call("listPeople", {})).people, []));
}
