import { beginning } from "../domain/read-input.ts";
import type { Actor } from "../protocol/actor.ts";

/** A lone local user may do everything, and says who they are if they like. Sign-in and keys replace this function. */
export function localActor(name: string | undefined): Actor {
  return { kind: "person", name: name ? readName(name) : "local", surface: "rest", rights: ["ask", "answer", "read"] };
}

function readName(header: string): string {
  return (
    beginning(
      decodeURIComponentSafely(header)
        .replace(/[^\p{L}\p{N} ._@-]/gu, "")
        .trim(),
      100,
    ) || "local"
  );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
