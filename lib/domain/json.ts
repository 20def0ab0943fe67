export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON with sorted keys, equal for equal values, so that hashes of it can be compared. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "null";
  let fields = "";
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    fields += `${fields && ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
  }
  return `{${fields}}`;
}
