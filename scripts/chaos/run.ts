// `npm run chaos -- <scenario> [--times N] [--seed S] [--minutes M] [--database sqlite|postgresql]`
//
// Runs one scenario, or `all`, at any size. The seed it prints replays the same choices.
import { parseArgs } from "node:util";
import { createDatabase, DATABASES, type DatabaseKind } from "../throwaway/database.ts";
import { startPostgres } from "../throwaway/postgres.mjs";
import type { Report, Scenario } from "./kit/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const USAGE = "npm run chaos -- <scenario> [--times N] [--seed S] [--minutes M] [--database sqlite|postgresql]";

process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
});

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      times: { type: "string" },
      seed: { type: "string" },
      minutes: { type: "string" },
      database: { type: "string" },
    },
  });
  const [name] = positionals;
  if (name === undefined) return list();
  const chosen = name === "all" ? SCENARIOS : SCENARIOS.filter((scenario) => scenario.name === name);
  const kinds = DATABASES.filter((kind) => values.database === undefined || kind === values.database);
  const sizes = { times: number(values.times), minutes: number(values.minutes), seed: number(values.seed) };
  if (chosen.length === 0 || kinds.length === 0 || Object.values(sizes).some((size) => Number.isNaN(size))) {
    process.stderr.write(`${chosen.length === 0 ? `There is no scenario "${name}". ` : ""}${USAGE}\n`);
    return 1;
  }

  const { times, minutes, seed = Math.floor(Math.random() * 2 ** 31) } = sizes;
  let postgres: ReturnType<typeof startPostgres> | undefined;
  const server = async () => {
    postgres ??= startPostgres();
    return (await postgres).url;
  };
  let violations = 0;
  try {
    for (const scenario of chosen) {
      for (const kind of kinds.filter((each) => (scenario.databases ?? DATABASES).includes(each))) {
        process.stdout.write(`\n${scenario.name} on ${kind}, seed ${seed}\n`);
        violations += await runOne(scenario, kind, server, { times: times ?? scenario.size.whole, minutes, seed });
      }
    }
  } finally {
    await (await postgres)?.stop();
  }
  return violations > 0 ? 1 : 0;
}

async function runOne(
  scenario: Scenario,
  kind: DatabaseKind,
  server: () => Promise<string>,
  size: { times: number; minutes: number | undefined; seed: number },
): Promise<number> {
  const database = await createDatabase(kind, server);
  const started = performance.now();
  try {
    const log = (line: string) => process.stdout.write(`  ${line}\n`);
    const report = await scenario.run({ ...size, databaseUrl: database.url, log });
    show(report, (performance.now() - started) / 1_000);
    return report.violations.length;
  } finally {
    await database.drop();
  }
}

function show({ violations, figures, skipped = [] }: Report, seconds: number): void {
  const lines = [
    ...Object.entries(figures).map(([what, figure]) => `  ${what}: ${figure}`),
    ...skipped.map((what) => `  SKIPPED: ${what}`),
    ...violations.slice(0, 50).map((what) => `  VIOLATION: ${what.slice(0, 1_500)}`),
    `  ${violations.length === 0 ? "holds" : `${violations.length} violations`}, ${seconds.toFixed(1)} s`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

function list(): number {
  const width = Math.max(...SCENARIOS.map(({ name }) => name.length), 0);
  const lines = SCENARIOS.map(({ name, about, size }) => `  ${name.padEnd(width)}  ${about} (${size.whole})`);
  process.stdout.write(`${USAGE}\n\nall, or one of these (in brackets: its usual size):\n${lines.join("\n")}\n`);
  return 0;
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
