import { readFileSync } from "node:fs";

type Json = Record<string, unknown>;

/** Undefined where it cannot be read. */
export function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Undefined where there is no object in it. */
export function jsonIn(file: string): Json | undefined {
  try {
    return objectOf(JSON.parse(textIn(file) ?? ""));
  } catch {
    return undefined;
  }
}

export function objectOf(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
