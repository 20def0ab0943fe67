"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { errorText } from "./api.ts";
import { onResumed } from "./session.ts";

export type Loaded<Value> = {
  /** Undefined until it is loaded. */
  value: Value | undefined;
  error: string | undefined;
  reload: () => Promise<void>;
  /** Shows a change that the server has accepted, without reading everything again. */
  update: (next: (value: Value) => Value) => void;
};

/** What a page reads once it is in the browser. It is read again when the person has signed in again. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [error, setError] = useState<string>();
  const latest = useRef(0);
  const read = useEffectEvent(async () => {
    const own = ++latest.current;
    try {
      const found = await load();
      if (own !== latest.current) return;
      setValue(found);
      setError(undefined);
    } catch (reason) {
      if (own === latest.current) setError(errorText(reason));
    }
  });
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again for every request to do so.
  useEffect(() => {
    void read();
  }, [asked]);
  useEffect(() => onResumed(() => setAsked((before) => before + 1)), []);
  const reload = useCallback(async () => setAsked((before) => before + 1), []);
  const update = useCallback(
    (next: (value: Value) => Value) => setValue((before) => (before === undefined ? before : next(before))),
    [],
  );
  return { value, error, reload, update };
}
