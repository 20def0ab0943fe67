"use client";

import { setNonce } from "get-nonce";

/**
 * The nonce of this page's content security policy. Radix adds a <style> element while a dialog or a menu keeps the page
 * from scrolling, and the browser refuses one without it.
 */
export function pageNonce(): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce || undefined;
}

const nonce = pageNonce();
if (nonce) setNonce(nonce);
