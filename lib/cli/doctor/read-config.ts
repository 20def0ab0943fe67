import { readFileSync } from "node:fs";
import { parse } from "smol-toml";

type Json = Record<string, unknown>;

/** Undefined if it cannot be read. */
export function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Undefined if it holds no JSON object. */
export function jsonIn(file: string): Json | undefined {
  try {
    return objectOf(JSON.parse(textIn(file) ?? ""));
  } catch {
    return undefined;
  }
}

/** Undefined if it is not TOML. */
export function tomlIn(file: string): Json | undefined {
  try {
    return parse(textIn(file) ?? "");
  } catch {
    return undefined;
  }
}

export function objectOf(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
