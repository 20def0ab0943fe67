import { type ErrorCode, isParleyError } from "../../../lib/protocol/errors.ts";

/** What a caller was told. */
export type Told<Value> =
  | { value: Value; code?: undefined; details?: undefined }
  | { value?: undefined; code: ErrorCode; details: Record<string, unknown> };

/** A refusal with a code of the table is an outcome; anything else that is thrown is a bug and goes on. */
export async function attempt<Value>(call: () => Promise<Value>): Promise<Told<Value>> {
  try {
    return { value: await call() };
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return { code: error.code, details: (error.details ?? {}) as Record<string, unknown> };
  }
}

/** Lets other work go first, so many times. */
export async function yieldTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}
