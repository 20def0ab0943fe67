import type { Actor } from "../protocol/actor.ts";
import { beginning } from "../protocol/characters.ts";

/** A single local user may do everything and can choose a name. Sign-in and keys will replace this function. */
export function localActor(headers: Record<string, string | string[] | undefined>): Actor {
  const name = headers["x-parley-name"];
  // Only browsers send this header, and pages cannot forge it.
  const browser = headers["sec-fetch-site"] === "same-origin";
  const surface = browser ? "browser" : headers["x-parley-surface"] === "cli" ? "cli" : "rest";
  return { kind: "person", name: name ? readName(String(name)) : "local", surface, rights: ["ask", "answer", "read"] };
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
