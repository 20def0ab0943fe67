import { type ErrorCode, type ErrorDetails, isParleyError } from "../../../lib/protocol/errors.ts";

/** The result of a call, as its caller sees it. */
export type Outcome<Value> =
  | { value: Value; code?: undefined; details?: undefined }
  | { value?: undefined; code: ErrorCode; details: ErrorDetails };

/** An error with a code of the table is an outcome. Any other error is a bug and is thrown. */
export async function attempt<Value>(call: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await call() };
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return { code: error.code, details: error.details ?? {} };
  }
}

/** Yields to other work this many times. */
export async function yieldTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}
