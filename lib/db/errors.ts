/** A row that must be unique exists already: the command lost a race and decides again. */
export class ConflictError extends Error {}

/** Another process holds the write lock: try again in a moment. */
export class BusyError extends Error {}

/** The database cannot be reached or written: nothing was stored, and the caller should try again. */
export class StorageError extends Error {}

/** The connection broke during a commit: the change may be stored, may not be, or may be stored a moment later. */
export class OutcomeUnknown extends StorageError {}

/** The database cannot be opened as configured. The message is one sentence that says what to do. */
export class OpenError extends Error {
  override name = "OpenError";
}
