import type { Call } from "../lib/protocol/actor.ts";

/** Pages only read. */
export function visitor(): Call {
  return { actor: { kind: "person", name: "local", surface: "browser", rights: ["read"] }, now: Date.now() };
}
