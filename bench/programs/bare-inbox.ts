// The bare indexed query behind `node:http`: `bare-inbox.js file:<path> | postgresql://… [space…]`.
import Sqlite from "better-sqlite3";
import pg from "pg";
import { reply, serve } from "../bare/http-server.ts";

const COLUMNS =
  "id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question, similar_key, settled";
const [, , database = "", ...spaces] = process.argv;
const seen = spaces.length > 0 ? ` and space_id in (${spaces.map((id) => `'${id}'`).join(", ")})` : "";
const QUERY = `select ${COLUMNS} from inbox_item where status = 'open'${seen} order by due_at, created_at, id limit 50`;

const query = await queryOf(database);
serve((_req, res) => {
  query((rows) => reply(res, 200, JSON.stringify({ success: true, items: rows })));
});

async function queryOf(where: string): Promise<(done: (rows: unknown[]) => void) => void> {
  if (where.startsWith("file:")) {
    const statement = new Sqlite(where.slice("file:".length), { readonly: true }).prepare(QUERY);
    return (done) => done(statement.all());
  }
  const client = new pg.Client({ connectionString: where });
  await client.connect();
  return (done) => client.query({ name: "inbox", text: QUERY }).then(({ rows }) => done(rows));
}
