"use client";

import { useEffect, useRef, useState } from "react";

/**
 * The secret of a link, which follows `#` so that it is never sent or logged. It is read once and taken out of the address
 * bar. Undefined until the page is in the browser; empty if the address has none.
 */
export function useLinkToken(): string | undefined {
  const [token, setToken] = useState<string>();
  const hasRead = useRef(false);
  useEffect(() => {
    if (hasRead.current) return;
    hasRead.current = true;
    const { hash, pathname, search } = window.location;
    if (hash) window.history.replaceState(null, "", pathname + search);
    setToken(hash.slice(1));
  }, []);
  return token;
}
