import { parseArgs } from "node:util";
import { DATABASES, type DatabaseKind } from "../scripts/throwaway/database.ts";

export const PARTS = [
  "job",
  "answer-cpu",
  "inbox",
  "sockets",
  "pages",
  "page-views",
  "memory",
  "growth",
  "search",
  "insights",
  "stalls",
] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  parts: Part[];
  kinds: DatabaseKind[];
  profile: boolean;
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
  /** Answered questions in the databases of the parts `growth`, `search`, `insights` and `stalls` at the start. */
  grown: number;
  /** Rounds in one long conversation. */
  longLife: number;
};

const USAGE = `npm run bench -- [--quick] [--only ${PARTS.join("|")}]… [--database sqlite|postgresql] [--rounds n] [--grown n] [--profile]
  --quick     small sizes, a minute or two in all: shows that it works, proves nothing
  --only      only these parts; can be repeated
  --rounds    how often each contestant is measured
  --grown     how many answered questions the large databases hold
  --profile   instead of measuring, profiles the CPU of the 64-asker job and says where the time goes`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      database: { type: "string" },
      rounds: { type: "string" },
      grown: { type: "string" },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) throw new Error(USAGE);
  const { quick, profile } = values;
  return {
    parts: chosen("only", PARTS, values.only ?? []),
    kinds: chosen("database", DATABASES, values.database ? [values.database] : []),
    profile,
    rounds: values.rounds === undefined ? (quick ? 2 : 5) : positive("rounds", values.rounds),
    sliceMs: quick ? 500 : 2_000,
    warmUp: quick ? 500 : 8_000,
    settleMs: quick ? 700 : 1_200,
    pending: quick ? 2_000 : 10_000,
    sockets: quick ? 500 : 5_000,
    thread: quick ? 2_000 : 10_000,
    grown: values.grown === undefined ? (quick ? 20_000 : 1_000_000) : positive("grown", values.grown),
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
