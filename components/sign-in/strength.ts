export const LEAST = 12;

export type Strength = "short" | "obvious" | "weak" | "fair" | "strong";

/**
 * How hard a password is to guess, roughly: by its length, by how many different characters it has, and by whether it says
 * who it belongs to. `short` and `obvious` are refused.
 */
export function strengthOf(password: string, own: readonly string[] = []): Strength {
  if ([...password].length < LEAST) return "short";
  const lower = password.toLowerCase();
  if (own.some((word) => word.trim().toLowerCase() === lower)) return "obvious";
  const words = own.flatMap((word) => word.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 2);
  // A part that is easy to guess counts as one character.
  const rest = words
    .reduce((left, word) => left.replaceAll(word, "*"), lower)
    .replace(/(.)\1+|(?:0123|1234|2345|3456|4567|5678|6789|abcd|qwer|asdf|pass|word)+/g, "*");
  const variety = new Set(rest).size;
  const score = [...rest].length + variety;
  if (score < 18) return "weak";
  return score < 26 ? "fair" : "strong";
}

/** Whether the server would take it. */
export function isAccepted(strength: Strength): boolean {
  return strength !== "short" && strength !== "obvious";
}
