// Verifies the hash chain of the audit: of all conversations, or of those named. Prints what it found; fails if a
// record was changed after it was sealed.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, readConfig } from "../lib/config.ts";
import { openDatabase } from "../lib/db/database.ts";
import { OpenError } from "../lib/db/errors.ts";
import { listConversations } from "../lib/db/threads.ts";
import { verifyChain } from "../lib/hub/seal.ts";

const PAGE = 500;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

process.exit(await verify(process.argv.slice(2)));

async function verify(named: string[]): Promise<number> {
  try {
    const db = await openDatabase({ url: readConfig(root).databaseUrl, root });
    const totals = { conversations: 0, events: 0, sealed: 0, broken: 0 };
    for await (const id of named.length > 0 ? named : everyConversation(db)) {
      const { intact, events, sealed, broken_at } = await verifyChain({ db }, id);
      totals.conversations += 1;
      totals.events += events;
      totals.sealed += sealed;
      if (intact) continue;
      totals.broken += 1;
      console.error(`${id}: the record was changed at event ${broken_at}`);
    }
    await db.close();
    console.log(
      `${totals.conversations} conversations, ${totals.events} events, ${totals.sealed} sealed, ${totals.broken} changed`,
    );
    return totals.broken === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof OpenError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function* everyConversation(db: Awaited<ReturnType<typeof openDatabase>>): AsyncGenerator<string> {
  let page = await listConversations(db, undefined, PAGE);
  while (page.length > 0) {
    for (const { id } of page) yield id;
    const last = page.at(-1);
    page = last ? await listConversations(db, { updated_at: last.updated_at, id: last.id }, PAGE) : [];
  }
}
