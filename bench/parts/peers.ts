import { type ChildProcess, execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/setup/root.mjs";
import { type Bench, sleep } from "../bench.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";
import { ASKERS, contestant, warmUp } from "./contest.ts";

/** The newest versions that fit each other. */
const PACKAGES = {
  bullmq: "6.3.10",
  ioredis: "5.11.1",
  "@langchain/core": "1.1.49",
  "@langchain/langgraph": "1.3.7",
  "@langchain/langgraph-checkpoint": "1.1.5",
  "@langchain/langgraph-checkpoint-sqlite": "1.0.4",
};
/** Of the ratio to BullMQ that is as durable as Parley. */
const AT_LEAST = 1.3;

type Slice = { count: number; perSecond: number };
type Peer = { name: string; slice: (ms: number) => Promise<Slice> };

/**
 * The job in other systems that can hold a question until it is answered, alternating with the product. They run in one
 * process with their load and without HTTP; the product is called over HTTP by another process.
 */
export async function peers(bench: Bench): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "parley-peers-"));
  const children: ChildProcess[] = [];
  try {
    bench.say("  installing BullMQ and LangGraph.js");
    await install(folder);
    const start = async (name: string, program: string, argument: string): Promise<Peer> => {
      const child = fork(join(folder, program), [argument], { cwd: folder, execArgv: [], silent: true });
      children.push(child);
      child.stdout?.resume();
      child.stderr?.resume();
      await reply(child, name);
      return {
        name,
        slice: async (ms) => {
          child.send({ askers: ASKERS, ms });
          return (await reply(child, name)) as Slice;
        },
      };
    };
    const redis = async (fsync: "always" | "everysec") => String(await startRedis(folder, fsync, children));
    const others = [
      await start("BullMQ, Redis syncs always", "bullmq.mjs", await redis("always")),
      await start("BullMQ, Redis may lose a second", "bullmq.mjs", await redis("everysec")),
      await start("LangGraph.js, SQLite syncs always", "langgraph.mjs", join(folder, "checkpoints.db")),
    ];
    return await inTurns(bench, [await productOf(bench), ...others]);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await bench.stopServers();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function productOf(bench: Bench): Promise<Peer> {
  const url = await bench.databases.createForProduct("sqlite");
  const entrant = await contestant(bench, "product", await bench.startProduct(url));
  await warmUp(bench, [entrant], [url]);
  const { server, sessions } = entrant;
  let slices = 0;
  return {
    name: "product",
    slice: (ms) => {
      const prefix = `peers_${slices++}`;
      return bench.load.run("roundTrips", { port: server.port, askers: ASKERS, sessions, ms, prefix, pauseMs: 0 });
    },
  };
}

async function inTurns(bench: Bench, all: Peer[]): Promise<Line[]> {
  const { rounds, sliceMs } = bench.options;
  const rates = new Map(all.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, slice } of round % 2 === 0 ? all : all.toReversed()) {
      const { perSecond } = await slice(sliceMs);
      bench.say(`  round ${round}, ${name}: ${perSecond.toFixed(0)}/s`);
      // The first round is to warm up.
      if (round > 0) rates.get(name)?.push(perSecond);
    }
  }
  const product = rates.get("product") ?? [];
  return all.slice(1).map(({ name }, index) => {
    const theirs = rates.get(name) ?? [];
    const ratio = ratios(product, theirs);
    return {
      figure: `${ASKERS} askers, round trips/s`,
      kind: "sqlite",
      product: median(product).toFixed(0),
      against: `${name} ${median(theirs).toFixed(0)}`,
      ratio,
      ...(index === 0 && { target: { value: ratio.median, atLeast: AT_LEAST } }),
    };
  });
}

async function install(folder: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  cpSync(join(root, "bench/peers"), folder, { recursive: true });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  await promisify(execFile)("npm", ["install", ...flags], { cwd: folder });
  // It contains native code, which is built here already.
  rmSync(join(folder, "node_modules/better-sqlite3"), { recursive: true, force: true });
  symlinkSync(join(root, "node_modules/better-sqlite3"), join(folder, "node_modules/better-sqlite3"));
}

async function startRedis(folder: string, fsync: string, children: ChildProcess[]): Promise<number> {
  const port = await freePort();
  const files = ["--dir", folder, "--appenddirname", fsync, "--appendonly", "yes", "--save", ""];
  const address = ["--port", String(port), "--bind", "127.0.0.1"];
  const server = spawn("redis-server", [...address, ...files, "--appendfsync", fsync], { stdio: "ignore" });
  server.on("error", () => {});
  children.push(server);
  for (let tries = 0; tries < 100; tries++) {
    if (await answers(port)) return port;
    await sleep(100);
  }
  throw new Error("Redis did not start. Install it first: apt-get install redis-server");
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.end() === socket));
    socket.on("error", () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("no free port was found");
  return address.port;
}

async function reply(child: ChildProcess, name: string): Promise<unknown> {
  const exited = once(child, "exit").then(() => {
    throw new Error(`${name} ended. Run it again with its output to see why.`);
  });
  exited.catch(() => {});
  return (await Promise.race([once(child, "message"), exited]))[0];
}
