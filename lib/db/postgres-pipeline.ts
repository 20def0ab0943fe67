import type pg from "pg";

export type Bound = { name: string; values: Array<string | null> };
type Row = Array<string | null>;
/** What the driver's types leave out of its connection. */
type Wire = {
  stream: { cork: () => void; uncork: () => void };
  bind: (of: { statement: string; values: Array<string | null> }) => void;
  execute: (of: { rows: number }) => void;
  sync: () => void;
};

/**
 * Runs prepared statements in one transaction, all sent at once: PostgreSQL runs whatever comes before a Sync as one
 * transaction, and one round trip takes all of them. Each returns one row or none; if one fails, none has happened.
 */
export function runPipeline(client: pg.Client, statements: Bound[]): Promise<Array<Row | undefined>> {
  return new Promise((resolve, reject) => {
    const rows: Array<Row | undefined> = [];
    let row: Row | undefined;
    const query = {
      /** Lets tests that inject faults recognise a commit. */
      name: "commit",
      statements,
      /** The driver wraps it, to enforce its time limit. */
      callback: (error: Error | null) => (error ? reject(error) : resolve(rows)),
      submit: (connection: Wire) => {
        connection.stream.cork();
        try {
          for (const { name, values } of query.statements) {
            connection.bind({ statement: name, values });
            connection.execute({ rows: 0 });
          }
          connection.sync();
        } finally {
          connection.stream.uncork();
        }
      },
      handleDataRow: ({ fields }: { fields: Row }) => {
        row = fields;
      },
      handleCommandComplete: () => {
        rows.push(row);
        row = undefined;
      },
      handleRowDescription: () => {},
      handleError: (error: Error) => query.callback(error),
      handleReadyForQuery: () => query.callback(null),
    };
    client.query(query as unknown as pg.Submittable);
  });
}
