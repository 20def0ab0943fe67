import { BusyError, OutcomeUnknown, StorageError } from "../db/errors.ts";
import { ParleyError } from "../protocol/errors.ts";

/** A database that fails is told as such, so that the caller knows whether anything was stored and can try again. */
export function tellOfStorage(error: unknown): never {
  if (!(error instanceof StorageError) && !(error instanceof BusyError)) throw error;
  if (error instanceof OutcomeUnknown)
    throw new ParleyError(
      "storage_unavailable",
      "The connection to the database broke, and it is not known whether this was stored. Look before you try again.",
    );
  throw new ParleyError(
    "storage_unavailable",
    "The database cannot be used at the moment. Nothing was stored; try again.",
  );
}
