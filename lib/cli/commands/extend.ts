import { createAsker } from "../asking/create-asker.ts";
import { findItems } from "../asking/find-item.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";
import { addedTo } from "../terminal/time-span.ts";

const USAGE = "Usage: parley extend ID (+15m | +1h | +2d | TIME | none)";
const TRY_MS = 10_000;

/** Gives an open question another deadline, or none. */
export const run: Run = async (terminal, [id, until], { session, json }) => {
  if (id === undefined || until === undefined) throw new CommandExit(EXIT.badInput, USAGE);
  const hub = createTerminalClient(terminal, "person");
  const asker = await createAsker(terminal);
  const selection = { id, session: typeof session === "string" ? session : undefined };
  const [item] = await findItems(terminal, hub, asker, selection).finally(() => asker.close());
  if (!item) throw new CommandExit(EXIT.badInput, `Nothing is pending under ${id}.`);
  const { session_id, tool_use_id } = item;
  const body = { session_id, tool_use_id, deadline_at: deadlineOf(until, item.deadline_at) };
  const { ask } = await keepTrying(() => hub.call("extend", { body }), { forMs: TRY_MS });
  if (json) terminal.print(`${JSON.stringify(ask)}\n`);
  const end = ask.deadline_at && new Date(ask.deadline_at).toLocaleString();
  terminal.say(end ? `The question now waits until ${end}.` : "The question now waits until someone answers.");
  return EXIT.answered;
};

/** A span counts from the deadline, or from now if there is none or it has passed. */
function deadlineOf(until: string, present: string | null): string | null {
  if (until === "none") return null;
  const from = Math.max(Date.now(), present === null ? 0 : Date.parse(present));
  const stated = /^\d{4}-\d\d-\d\d/.test(until) ? Date.parse(until) : Number.NaN;
  const deadline = new Date(addedTo(from, until) ?? stated);
  if (!Number.isNaN(deadline.getTime())) return deadline.toISOString();
  throw new CommandExit(EXIT.badInput, `${until} is neither a span like +15m nor a time. ${USAGE}`);
}
