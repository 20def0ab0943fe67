import { ParleyError } from "../protocol/errors.ts";

/** A row that must be unique exists already: the command lost a race and decides again. */
export class ConflictError extends Error {}

/** The database did not do what it was asked. Its message is for the log, because it may name hosts and files. */
export abstract class Outage extends Error {
  /** What callers learn, whichever entry point they came through: see `toErrorReply`. */
  get told(): ParleyError {
    return unavailable("The database is not available right now. Nothing was stored; try again.");
  }
}

/** Another process holds the write lock: try again in a moment. */
export class BusyError extends Outage {}

/** The database cannot be reached or written: nothing was stored, and the caller should try again. */
export class StorageError extends Outage {}

/** Nothing can be written before someone makes room. */
export class DiskFullError extends StorageError {
  override get told(): ParleyError {
    return unavailable(
      "The disk of the database is full. Nothing was stored; try again once there is room.",
      "disk_full",
    );
  }
}

/** What would be written now would be gone after the next start. */
export class FileReplacedError extends StorageError {
  override get told(): ParleyError {
    return unavailable(
      "The database file was removed or replaced while Parley was running. Nothing was stored. Put it back, or restart Parley.",
      "file_replaced",
    );
  }
}

/** The connection broke during a commit: the change may be stored, may not be, or may be stored a moment later. */
export class OutcomeUnknown extends StorageError {
  override get told(): ParleyError {
    return unavailable(
      "The connection to the database broke, and Parley does not know whether this was stored. Check before you try again.",
    );
  }
}

/** The database cannot be opened as configured. The message is one sentence that says what to do. */
export class OpenError extends Error {
  override name = "OpenError";
}

function unavailable(message: string, reason?: "disk_full" | "file_replaced"): ParleyError {
  return new ParleyError("storage_unavailable", message, reason && { reason });
}
