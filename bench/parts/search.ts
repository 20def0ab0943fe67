import { openDatabase } from "../../lib/db/database.ts";
import { POSTGRES, prepareSearch } from "../../lib/db/search/prepare.ts";
import { root } from "../../scripts/setup/root.mjs";
import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import type { Bench } from "../bench.ts";
import { execute } from "../databases.ts";
import { type MeasuredServer, PROBED } from "../measured-server.ts";
import { seededWord, seedSearch } from "../seed.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";

const STALL_MS = 50;
const AT_MOST = 3;

/** A search, as the product and as the bare index are asked for it. */
type Search = { name: string; q: string; bare: string; count: number };

/** Searches among settled questions, compared with the bare query of the same index on the same rows. */
export async function search(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { settled, rounds } = bench.options;
  const database = await seeded(bench, kind, settled);
  const product = await bench.startProduct(database, PROBED);
  const bare = await bench.startBare("bare-search", { args: [database] });
  const among = `among ${settled.toLocaleString("en")}`;
  const searches: Search[] = [
    { name: `one match ${among}`, q: `ticket-${settled - 7}`, bare: ` ticket - ${settled - 7} `, count: 200 },
    { name: `no match ${among}`, q: "zebra", bare: "zebra", count: 200 },
    { name: `a word in 0.4 % ${among}`, q: WORD, bare: WORD, count: 40 },
    { name: `a word of two characters in 1 % ${among}`, q: "東京", bare: " 東京 ", count: 40 },
    { name: `a word in all ${among}`, q: "database", bare: "database", count: 5 },
  ];
  const lines: Line[] = [];
  for (const one of searches) lines.push(await compared(bench, kind, product, bare, one, rounds));
  for (const [name, path] of [
    ["a word of two letters that is rare", "/api/inbox?status=closed&q=zq"],
    ["all facets", "/api/inbox?status=closed&facets=true"],
    ["a person's latest", "/api/inbox?status=closed&by=person+7"],
    ["conversations by a word", `/api/sessions?q=${WORD}`],
  ] as const)
    lines.push(await alone(bench, kind, product, `${name} ${among}`, path));
  await bench.stopServers();
  return lines;
}

const WORD = seededWord();

/** A database with this many settled questions; the parts of one run share it. */
export function seeded(bench: Bench, kind: DatabaseKind, count: number): Promise<string> {
  const name = `${kind} ${count}`;
  const database = bench.seeded.get(name) ?? seed(bench, kind, count);
  bench.seeded.set(name, database);
  return database;
}

async function seed(bench: Bench, kind: DatabaseKind, count: number): Promise<string> {
  const database = await bench.databases.createForProduct(kind);
  const began = performance.now();
  if (kind === "sqlite") await prepare(database);
  await seedSearch(kind, database, count);
  if (kind === "postgresql") {
    // Indexing a million texts takes longer than Parley gives any statement; in use the index grows with them.
    for (const sql of POSTGRES) await execute(database, sql);
    await execute(database, "analyze");
  }
  bench.say(`  seeded ${count} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return database;
}

async function prepare(url: string): Promise<void> {
  const db = await openDatabase({ url, root, timeoutS: 600 });
  const missing = await prepareSearch(db);
  await db.close();
  if (missing) throw missing;
}

async function compared(
  bench: Bench,
  kind: DatabaseKind,
  product: MeasuredServer,
  bare: MeasuredServer,
  { name, q, bare: word, count }: Search,
  rounds: number,
): Promise<Line> {
  const times = new Map([product, bare].map((server) => [server, [] as number[]]));
  let stall = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const server of round % 2 === 0 ? [product, bare] : [bare, product]) {
      const path =
        server === product ? `/api/inbox?status=closed&q=${encodeURIComponent(q)}` : `/?q=${encodeURIComponent(word)}`;
      const read = () => bench.load.run("readMany", { port: server.port, path, count });
      let p50 = 0;
      const measure = async () => {
        p50 = (await read()).p50;
      };
      if (server === product) stall = Math.max(stall, await product.longestStall(measure));
      else await measure();
      if (round > 0) times.get(server)?.push(p50);
    }
  }
  const [ours = [], theirs = []] = [times.get(product), times.get(bare)];
  const ratio = ratios(ours, theirs);
  bench.say(
    `  ${name}: ${median(ours).toFixed(2)} ms, bare ${median(theirs).toFixed(2)} ms, stall ${stall.toFixed(0)} ms`,
  );
  return {
    figure: name,
    kind,
    product: `${median(ours).toFixed(2)} ms`,
    against: `bare index ${median(theirs).toFixed(2)} ms`,
    ratio,
    target: { value: ratio.median, atMost: AT_MOST },
  };
}

async function alone(
  bench: Bench,
  kind: DatabaseKind,
  product: MeasuredServer,
  name: string,
  path: string,
): Promise<Line> {
  let p50 = 0;
  const stall = await product.longestStall(async () => {
    p50 = (await bench.load.run("readMany", { port: product.port, path, count: 5 })).p50;
  });
  bench.say(`  ${name}: ${p50.toFixed(1)} ms, stall ${stall.toFixed(0)} ms`);
  return {
    figure: `${name}: longest stall`,
    kind,
    product: `${Math.max(0, stall).toFixed(0)} ms`,
    against: `takes ${p50.toFixed(1)} ms`,
    target: { value: stall, atMost: STALL_MS, unit: " ms" },
  };
}
