import { createAuth } from "../../lib/auth/auth.ts";
import { createSetupLink } from "../../lib/auth/links.ts";
import { installationSecret } from "../../lib/auth/secret.ts";
import { parseConfig } from "../../lib/config.ts";
import { openDatabase } from "../../lib/db/database.ts";
import { PAGE_SECRET_HEADER } from "../../lib/protocol/page-secret.ts";
import { root } from "../../scripts/setup/root.mjs";
import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, sleep } from "../bench.ts";
import { execute } from "../databases.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";
import { ASKERS, compared, contestant, inTurns, warmUp } from "./contest.ts";

/** As a ratio to the same build without accounts. */
const SHARE_OF_OPEN = 0.97;
const SPACES = 20;
/** How many of the spaces the member belongs to. */
const OF_MEMBER = 5;
const PASSWORD = "correct horse battery";
const KNOWN = 100_000;
const MINUTES = 100;

/** What a browser sends once someone has signed in. */
type Session = { cookie: string; [PAGE_SECRET_HEADER]: string };
type Post = (path: string, body: object) => Promise<{ reply: Record<string, never>; session: Session }>;

/**
 * What accounts cost: identifying callers, the same job with a key on every request, and the inbox of someone who sees a few of
 * many spaces.
 */
export async function team(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  return [...(await identifying(bench, kind)), ...(await withKeys(bench, kind)), ...(await ofSpaces(bench, kind))];
}

/** CPU of identifying one caller, in this process: a caller that is known, and a caller that calls once a second for a minute. */
async function identifying(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const url = await bench.databases.createForProduct(kind);
  const product = await bench.startProduct(url);
  const { post, session } = await firstAccount(product, url);
  const { reply: key } = await post("/api/keys", { kind: "agent", name: "bench", agent: "bench" });
  await bench.stopServers();
  const db = await openDatabase({ url, root });
  const auth = await createAuth({
    db,
    settings: parseConfig({}).auth,
    secret: installationSecret({ value: undefined, file: undefined }, { url, root }),
    isBrowser: () => false,
    publicUrl: () => "http://localhost",
    clientOf: () => "",
    record: { begin: async () => {}, changed: () => {} },
    announce: () => {},
    clock: Date.now,
    onError: (error) => {
      throw error;
    },
  });
  const lines: Line[] = [];
  for (const [what, headers] of [
    ["session", session],
    ["key", { authorization: `Bearer ${key.secret}` }],
  ] as const) {
    const known = async () => {
      for (let n = 0; n < KNOWN; n++) await auth.identify.request(headers);
    };
    const minute = async () => {
      for (let n = 0; n < MINUTES * 60; n++) {
        // A credential is cached for five seconds.
        if (n % 5 === 0) auth.ctx.credentials.forget();
        await auth.identify.request(headers);
      }
    };
    const [hit, average] = [await cpuOf(known, KNOWN), await cpuOf(minute, MINUTES * 60)];
    lines.push(
      {
        figure: `CPU of identifying a ${what}, known`,
        kind,
        product: `${hit.toFixed(1)} µs`,
        against: "",
        target: { value: hit, atMost: 5, unit: " µs" },
      },
      {
        figure: `CPU of identifying a ${what}, over a minute of use`,
        kind,
        product: `${average.toFixed(1)} µs`,
        against: "",
        target: { value: average, atMost: 40, unit: " µs" },
      },
    );
  }
  await auth.stop();
  await db.close();
  return lines;
}

/** CPU time of one of `count` calls: the median of five rounds, after one to warm up. */
async function cpuOf(work: () => Promise<void>, count: number): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 6; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) rounds.push((user + system) / count);
  }
  return median(rounds);
}

async function withKeys(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const urls = [await bench.databases.createForProduct(kind), await bench.databases.createForProduct(kind)] as const;
  const open = await bench.startProduct(urls[0]);
  const product = await bench.startProduct(urls[1]);
  const { post } = await firstAccount(product, urls[1]);
  const { reply } = await post("/api/keys", { kind: "personal", name: "bench" });
  await authorize(bench, product, `authorization: Bearer ${reply.secret}`);
  const contestants = [await contestant(bench, "team", product), await contestant(bench, "open", open)];
  await warmUp(bench, contestants, [...urls]);
  const many = await inTurns(bench, contestants, ASKERS);
  await bench.stopServers();
  const rate = compared(many, "team", "open", (turn) => turn.perSecond);
  const cpu = compared(many, "team", "open", (turn) => turn.cpu);
  return [
    {
      figure: `${ASKERS} askers with keys, round trips/s`,
      kind,
      product: rate.above.toFixed(0),
      against: `without accounts ${rate.below.toFixed(0)}`,
      ratio: rate.ratio,
      target: { value: rate.ratio.median, atLeast: SHARE_OF_OPEN },
    },
    {
      figure: `${ASKERS} askers with keys, CPU of a round trip`,
      kind,
      product: `${cpu.above.toFixed(0)} µs`,
      against: `without accounts ${cpu.below.toFixed(0)} µs`,
      ratio: cpu.ratio,
    },
  ];
}

async function ofSpaces(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { load, options } = bench;
  const database = await bench.databases.createForProduct(kind);
  const product = await bench.startProduct(database);
  const { post } = await firstAccount(product, database);
  const { reply: invited } = await post("/api/invitations", {});
  const joined = await postTo(product)("/api/auth/accept", {
    token: tokenIn(String(invited.url)),
    name: "Member",
    login: "member",
    password: PASSWORD,
  });
  const { id } = joined.reply.person as unknown as { id: string };
  const own: string[] = [];
  for (let n = 0; n < SPACES; n++) {
    const isOwn = n < OF_MEMBER;
    const { reply } = await post("/api/spaces", { name: `Space ${n}`, members: isOwn ? [id] : [] });
    const space = reply.space as unknown as { id: string };
    if (isOwn) own.push(space.id);
    const { reply: key } = await post("/api/keys", { kind: "agent", name: "k", agent: `a${n}`, space_id: space.id });
    await authorize(bench, product, `authorization: Bearer ${key.secret}`);
    const sessions = await load.run("openSessions", { port: product.port, count: 4 });
    const count = Math.round(options.pending / SPACES);
    await load.run("askMany", { port: product.port, sessions, prefix: `open_${n}`, count, askers: 16 });
  }
  if (kind === "postgresql") await execute(database, "analyze");
  const bare = await bench.startBare("bare-inbox", { args: [database, ...own] });
  await authorize(bench, product, linesOf(joined.session));
  await sleep(2_000);
  const times = new Map([product, bare].map((server) => [server, [] as number[]]));
  const reads = Math.round(options.sliceMs / 3);
  for (let round = 0; round <= options.rounds; round++)
    for (const server of round % 2 === 0 ? [product, bare] : [bare, product]) {
      const { p50 } = await load.run("readMany", { port: server.port, path: "/api/inbox?limit=50", count: reads });
      if (round > 0) times.get(server)?.push(p50);
    }
  await bench.stopServers();
  const [ours = [], theirs = []] = [times.get(product), times.get(bare)];
  const ratio = ratios(ours, theirs);
  return [
    {
      figure: `50 of ${options.pending} open in ${OF_MEMBER} of ${SPACES} spaces, median`,
      kind,
      product: `${median(ours).toFixed(2)} ms`,
      against: `bare query ${median(theirs).toFixed(2)} ms`,
      ratio,
      target: { value: ratio.median, atMost: 3 },
    },
  ];
}

/** Creates the first account as its console would, and returns its session and a function that posts as its admin. */
async function firstAccount(server: MeasuredServer, url: string): Promise<{ post: Post; session: Session }> {
  const db = await openDatabase({ url, root });
  const link = await createSetupLink({ db, publicUrl: () => "http://localhost" }, Date.now());
  await db.close();
  const made = await postTo(server)("/api/auth/setup", {
    token: tokenIn(link),
    name: "Admin",
    login: "admin",
    password: PASSWORD,
  });
  return { post: postTo(server, made.session), session: made.session };
}

const tokenIn = (link: string): string => new URL(link).hash.slice(1);

function postTo({ port }: MeasuredServer, by?: Session): Post {
  return async (path, body) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...by },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path} was refused: ${text}`);
    const [line = ""] = reply.headers.getSetCookie();
    const parsed = JSON.parse(text);
    const session = { cookie: line.split(";")[0] ?? "", [PAGE_SECRET_HEADER]: parsed.page_secret };
    return { reply: parsed, session };
  };
}

function linesOf(session: Session): string {
  return Object.entries(session)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n");
}

/** From now on the load sends this line with every request to the server. */
async function authorize(bench: Bench, { port }: MeasuredServer, line: string): Promise<void> {
  await bench.load.run("sendAlways", { port, line });
}
