// The bare query of the full-text index behind `node:http`: `bare-search.js file:<path> | postgresql://…`, then GET /?q=word.
import Sqlite from "better-sqlite3";
import pg from "pg";
import { reply, serve } from "../bare/http-server.ts";

const COLUMNS =
  "i.id, i.conversation_id, i.tool_use_id, i.status, i.due_at, i.created_at, i.closed_at, i.agent, i.round, i.question, i.similar_key, i.settled";
const ROWS = "join inbox_item i on i.id = e.inbox_item_id";
const LATEST = "order by e.closed_at desc, e.inbox_item_id desc limit 50";

const query = await queryOf(process.argv[2] ?? "");
serve((req, res) => {
  const word = new URL(req.url ?? "", "http://localhost").searchParams.get("q") ?? "";
  query(word, (rows) => reply(res, 200, JSON.stringify({ success: true, items: rows })));
});

async function queryOf(where: string): Promise<(word: string, done: (rows: unknown[]) => void) => void> {
  if (where.startsWith("file:")) {
    const statement = new Sqlite(where.slice("file:".length), { readonly: true }).prepare(
      `select ${COLUMNS} from search_index cross join search_entry e on e.seq = search_index.rowid ${ROWS}
       where search_index match ? ${LATEST}`,
    );
    return (word, done) => done(statement.all(trigramsOf(word)));
  }
  const client = new pg.Client({ connectionString: where });
  await client.connect();
  const text = `select ${COLUMNS} from search_text t join search_entry e on e.seq = t.seq ${ROWS}
    where t.settled and t.text like $1 ${LATEST}`;
  return (word, done) => client.query(text, [`%${word}%`]).then(({ rows }) => done(rows));
}

function trigramsOf(word: string): string {
  const characters = [...word];
  return characters
    .slice(2)
    .map((_, index) => `"${characters.slice(index, index + 3).join("")}"`)
    .join(" AND ");
}
