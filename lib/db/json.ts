/** JSON text of a value: what a JSON column holds. */
export type Json<Value> = string & { readonly of: Value };

export function toJson<Value>(value: Value): Json<Value> {
  return JSON.stringify(value) as Json<Value>;
}

export function parseJson<Value>(text: Json<Value>): Value;
export function parseJson<Value>(text: Json<Value> | null): Value | null;
export function parseJson<Value>(text: Json<Value> | null): Value | null {
  return text === null ? null : JSON.parse(text);
}
