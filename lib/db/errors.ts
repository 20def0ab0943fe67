/** A row that must be unique is there already: the command lost a race and decides anew. */
export class ConflictError extends Error {}

/** Somebody else holds the write lock: worth another try in a moment. */
export class BusyError extends Error {}

/** The database cannot be written or reached: nothing was stored, and the caller is told to try again. */
export class StorageError extends Error {}

/** The connection broke while a change was being stored: it may be stored or not, or be stored a moment later. */
export class OutcomeUnknown extends StorageError {}

/** The database cannot be opened as it is set up; the message is one sentence that says what to do. */
export class OpenError extends Error {
  override name = "OpenError";
}
