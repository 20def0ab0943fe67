import fc from "fast-check";
import type { Database } from "../../../lib/db/database.ts";
import { by, type Node, person, START, withNodes } from "../kit/node.ts";
import type { Report, RunOptions, Scenario } from "../kit/scenario.ts";
import { COMMANDS, OWNERS, PEOPLE_WITH_ACCOUNTS } from "./commands.ts";
import { Reference } from "./reference.ts";
import { CLAIM_MS, compareAll, teamOf, type World } from "./world.ts";

const MAX_DEPTH = 3;
const COMMANDS_A_RUN = 60;
/** Time to shrink a failing run before it is reported. */
const LIMITS = { numRuns: 10, interruptAfterTimeLimit: 60_000 };

export const model: Scenario = {
  name: "model",
  about: "random commands on two nodes behave exactly like a plain reference implementation (counts commands)",
  size: { small: 2_500, whole: 5_000 },
  run: (options) => compareWithReference(options),
};

/** `bug` lets a test plant a bug below the hub and check that it is detected. */
export async function compareWithReference(options: RunOptions, bug?: (db: Database) => Database): Promise<Report> {
  const wrap = bug ?? ((db) => db);
  const replies = new Map<string, number>();
  let steps = 0;
  let runs = 0;
  const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
  const goesOn = () => (end === undefined ? steps < options.times : Date.now() < end);
  const limits = { maxDepth: MAX_DEPTH };
  const newReference = () =>
    new Reference(MAX_DEPTH, START, {
      people: PEOPLE_WITH_ACCOUNTS.map((one) => ({ ...one })),
      owners: OWNERS,
      claimMs: CLAIM_MS,
    });
  let current = newReference();
  const team = () => teamOf(current);

  const violation = await withNodes(
    options.databaseUrl,
    [
      { limits, wrap, team },
      { limits, wrap, team },
      { limits, team },
    ],
    async (all) => {
      const [first, second, observer] = all as [Node, Node, Node];
      const run = async (commands: Iterable<fc.AsyncCommand<Reference, World>>) => {
        const reference = newReference();
        current = reference;
        const nodes = [first, second];
        const world: World = {
          nodes,
          observer,
          agent: `run${++runs}`,
          asked: 0,
          steps: 0,
          replies,
          requests: new Map(),
        };
        await fc.asyncModelRun(() => ({ model: reference, real: world }), commands);
        await compareAll(world, reference);
        steps += world.steps;
        for (const { status, defaults } of reference.conversations.flatMap((conversation) => conversation.asks)) {
          const how = `asks ${status}${defaults ? " with defaults" : ""}`;
          replies.set(how, (replies.get(how) ?? 0) + 1);
        }
        // Otherwise the next run would meet these deadlines.
        for (const { id } of reference.conversations) await observer.hub.close(by(person("end"), reference.now), id);
      };
      const property = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: COMMANDS_A_RUN, size: "max" }), run);
      for (let seed = options.seed; goesOn(); seed++) {
        const details = await fc.check(property, { ...LIMITS, seed, endOnFailure: bug !== undefined });
        if (details.failed) return `${fc.defaultReportMessage(details)}\n${details.errorInstance}`;
      }
      return undefined;
    },
  );
  const violations = violation === undefined ? [] : [violation];
  return { violations, figures: { steps, runs, ...Object.fromEntries(replies) } };
}
