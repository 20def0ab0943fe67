import { StorageError } from "./errors.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Table } from "./tables.ts";

type Reads = "findMany" | "findFirst" | "findUnique" | "count";
type Models =
  | "conversation"
  | "turn"
  | "message"
  | "ask"
  | "question"
  | "answer"
  | "inboxItem"
  | "auditEvent"
  | "auditSeal"
  | "auditHead"
  | "person"
  | "authIdentity"
  | "passkey"
  | "authSession"
  | "apiKey"
  | "keyPerson"
  | "oneTimeToken"
  | "space"
  | "spaceMember"
  | "spaceWish"
  | "channel"
  | "notification"
  | "draft"
  | "teamState";

/** Prisma for reads, which both generated clients offer alike: no writes, which belong to the writer, and no SQL. */
export type PrismaReads = { [Model in Models]: Pick<PrismaClient[Model], Reads> };

/** Prisma's own errors name no cause that a caller could act on. A mistake in the program is not a failure of the storage. */
export function prismaReader(client: PrismaReads) {
  return async <Result>(read: (prisma: PrismaReads) => Promise<Result>): Promise<Result> => {
    try {
      return await read(client);
    } catch (error) {
      const isMistake = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
      if (isMistake || (error instanceof Error && error.name === "PrismaClientValidationError")) throw error;
      throw new StorageError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  };
}

/** A value of a column as Prisma reads it. */
type Stored<Value> = Value extends null
  ? null
  : Value extends number
    ? number | bigint
    : Value extends string
      ? string
      : Value;

/** The row as the drivers read it and the tables describe it: Prisma has bigints for instants, and no unions or JSON. */
export function rowOf<Row, Names extends keyof Row>(
  _table: Table<Row>,
  read: { [Name in Names]: Stored<Row[Name]> },
): Pick<Row, Names> {
  const entries = Object.entries(read).map(([name, value]) => [
    name,
    typeof value === "bigint" ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as Pick<Row, Names>;
}
