import { BusyError, StorageError } from "../db/errors.ts";
import { ParleyError } from "../protocol/errors.ts";

/** A database that fails is told as such, so that the caller knows that nothing was stored and tries again. */
export function tellOfStorage(error: unknown): never {
  if (!(error instanceof StorageError) && !(error instanceof BusyError)) throw error;
  throw new ParleyError(
    "storage_unavailable",
    "The database cannot be used at the moment. Nothing was stored; try again.",
  );
}
