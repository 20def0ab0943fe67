import { parseArgs } from "node:util";
import { DATABASES, type DatabaseKind } from "../scripts/throwaway/database.ts";

export const PARTS = [
  "job",
  "answer-cpu",
  "inbox",
  "team",
  "notify",
  "sockets",
  "pages",
  "tabs",
  "page-views",
  "memory",
  "search",
  "insights",
  "stalls",
  "peers",
  "growth",
] as const;
export type Part = (typeof PARTS)[number];
/** Not measured unless asked for: they need a browser, other systems, or a quarter of an hour. */
const OPTIONAL: Part[] = ["pages", "tabs", "search", "insights", "peers", "growth"];

export type Options = {
  parts: Part[];
  kinds: DatabaseKind[];
  profile: boolean;
  /** Replaces the table in bench/README.md. */
  write: boolean;
  rounds: number;
  /** Length of one slice of load. */
  sliceMs: number;
  /** Commands or round trips before measuring: code that is still being compiled is several times slower. */
  warmUp: number;
  /** Longer than an audit event waits for its seal. */
  settleMs: number;
  /** Pending asks for the parts `inbox` and `memory`. */
  pending: number;
  /** Sockets that watch at once, and messages in a long thread. */
  sockets: number;
  thread: number;
  /** Answered questions in the grown databases at the start. */
  grown: number;
  /** Settled questions for the parts `search`, `insights` and `stalls`. */
  settled: number;
  /** Rounds in one long conversation. */
  longLife: number;
};

const USAGE = `npm run bench -- [--quick] [--only ${PARTS.join("|")}]… [--database sqlite|postgresql] [--rounds n] [--settled n] [--peers] [--growth] [--write] [--profile]
  --quick     small sizes, a minute or two in all: shows that it works, proves nothing
  --only      only these parts; can be repeated
  --peers     also BullMQ and LangGraph.js, which are installed in a folder that is then removed (needs redis-server)
  --growth    also with 1,000,000 answered questions in each database
  --write     puts the table into bench/README.md
  --rounds    how often each contestant is measured
  --settled   how many settled questions are searched and counted
  --profile   instead of measuring, profiles the CPU of the 64-asker job and says where the time goes`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      database: { type: "string" },
      rounds: { type: "string" },
      settled: { type: "string" },
      peers: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  const { quick, profile, write, only = [] } = values;
  if (write && (quick || profile || only.length > 0 || values.database !== undefined))
    throw new Error(`--write takes a whole run.\n${USAGE}`);
  const added: Part[] = [
    ...(values.peers ? (["peers"] as const) : []),
    ...(values.growth ? (["growth"] as const) : []),
  ];
  const isWanted = (part: Part) => only.length > 0 || !OPTIONAL.includes(part) || added.includes(part);
  return {
    parts: chosen("only", PARTS, only).filter(isWanted),
    kinds: chosen("database", DATABASES, values.database ? [values.database] : []),
    profile,
    write,
    rounds: values.rounds === undefined ? (quick ? 2 : 5) : positive("rounds", values.rounds),
    sliceMs: quick ? 500 : 1_500,
    warmUp: quick ? 500 : 5_000,
    settleMs: quick ? 700 : 1_200,
    pending: quick ? 2_000 : 10_000,
    sockets: quick ? 500 : 5_000,
    thread: quick ? 2_000 : 10_000,
    grown: quick ? 20_000 : 1_000_000,
    settled: values.settled === undefined ? (quick ? 20_000 : 100_000) : positive("settled", values.settled),
    longLife: quick ? 500 : 10_000,
  };
}

function chosen<Name extends string>(option: string, all: readonly Name[], names: string[]): Name[] {
  const unknown = names.filter((name) => !(all as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`--${option} ${unknown.join(", ")}: choose from ${all.join(", ")}.\n${USAGE}`);
  return all.filter((name) => names.length === 0 || names.includes(name));
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${option} ${text} is not a number above 0.\n${USAGE}`);
}
