// PostgreSQL in memory for the schema engine. Prisma's own adapter cannot be used: it refuses columns of type "char",
// which the engine's catalogue queries return, and it splits scripts at every semicolon, even inside a string.
import { PGlite } from "@electric-sql/pglite";
import {
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";

/** One database is both main and shadow: a comparison never touches the main one, and each takes 3 s to start. */
export function postgresInMemory(): SqlMigrationAwareDriverAdapterFactory {
  const adapter = open();
  return { ...identity, connect: () => adapter, connectToShadowDb: () => adapter };
}

const identity = { provider: "postgres", adapterName: "pglite" } as const;

async function open(): Promise<SqlDriverAdapter> {
  const database = await PGlite.create();
  const query = ({ sql, args }: SqlQuery) =>
    database.query<unknown[]>(sql, args, { rowMode: "array", parsers: rawParsers }).catch(asAdapterError);
  const queryable = {
    ...identity,
    queryRaw: async (request: SqlQuery) => {
      const { fields, rows } = await query(request);
      return {
        columnNames: fields.map((field) => field.name),
        columnTypes: fields.map((field) => columnTypes[field.dataTypeID] ?? ColumnTypeEnum.Text),
        rows,
      };
    },
    executeRaw: async (request: SqlQuery) => (await query(request)).affectedRows ?? 0,
  };
  return {
    ...queryable,
    executeScript: async (script) => void (await database.exec(script).catch(asAdapterError)),
    startTransaction: async () => {
      await database.exec("BEGIN");
      // The engine sends COMMIT and ROLLBACK itself.
      return { ...queryable, options: { usePhantomQuery: false }, commit: async () => {}, rollback: async () => {} };
    },
    getConnectionInfo: () => ({ schemaName: "public", supportsRelationJoins: true }),
    dispose: async () => {},
  };
}

/** The engine wants 64-bit numbers as text. */
const rawParsers = { 20: (text: string) => text, 26: (text: string) => text };

/** By PostgreSQL type number: the types in the catalogue and in `_prisma_migrations`. Everything else is text. */
const columnTypes: Record<number, ColumnType> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character,
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  26: ColumnTypeEnum.Int64,
  1000: ColumnTypeEnum.BooleanArray,
  1002: ColumnTypeEnum.CharacterArray,
  1003: ColumnTypeEnum.TextArray,
  1005: ColumnTypeEnum.Int32Array,
  1007: ColumnTypeEnum.Int32Array,
  1009: ColumnTypeEnum.TextArray,
};

function asAdapterError(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "N/A";
  const { message } = error;
  const absent = { detail: undefined, column: undefined, hint: undefined };
  throw new DriverAdapterError({ kind: "postgres", code, severity: "ERROR", message, ...absent });
}
