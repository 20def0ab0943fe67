import { BusyError, ConflictError, DiskFullError, StorageError } from "./errors.ts";

/** The file that a thread writes to, or reads from. */
export type ThreadData = { writes?: string; reads?: string };
/** What a thread that writes can be told to do: anything that a writing connection can. */
export type Task = "commitPacked" | "run" | "runAll" | "checkpoint" | "check" | "close";
export type ThreadRequest = { task: Task | "read"; args: unknown[] };
export type ThreadReply = { value: unknown } | { error: ErrorText };
/** Its first message: it has opened the database. */
export const READY = "ready";

/** Errors lose their class on the way from one thread to another, and the class is what callers act on. */
type ErrorText = { kind: keyof typeof CLASSES; message: string };
const CLASSES = { conflict: ConflictError, busy: BusyError, full: DiskFullError, storage: StorageError, other: Error };
const KINDS = ["conflict", "busy", "full", "storage"] as const;

export function errorText(error: unknown): ErrorText {
  const kind = KINDS.find((one) => error instanceof CLASSES[one]) ?? "other";
  return { kind, message: error instanceof Error ? error.message : String(error) };
}

export function errorOf({ kind, message }: ErrorText): Error {
  return new CLASSES[kind](message);
}
