import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";

/** Undefined if it cannot be read. */
export function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Undefined if it holds no JSON object. */
export function jsonIn(file: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(textIn(file) ?? ""));
  } catch {
    return undefined;
  }
}

/** Undefined if it is not TOML. */
export function tomlIn(file: string): JsonObject | undefined {
  try {
    return parse(textIn(file) ?? "");
  } catch {
    return undefined;
  }
}

export function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
