import { itemsUnder, tellResults } from "../asking/change-items.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";
import { addedTo } from "../terminal/time-span.ts";

const USAGE = "Usage: parley snooze ID... (+1h | +2d | 9:00 | tomorrow | TIME | now)";
const MORNING = 9;

/** Puts open questions away until a time, for this person alone, or brings them back. */
export const run: Run = async (terminal, args, { json }) => {
  const [ids, time] = [args.slice(0, -1), args.at(-1)];
  if (ids.length === 0 || time === undefined) throw new CommandExit(EXIT.badInput, USAGE);
  const until = timeOf(time, new Date());
  const hub = createTerminalClient(terminal, "person");
  const items = await itemsUnder(hub, ids);
  const inbox_item_ids = items.map(({ inbox_item_id }) => inbox_item_id);
  const reply = await hub.call("snooze", { body: { inbox_item_ids, until: until?.toISOString() ?? null } });
  if (json) terminal.print(`${JSON.stringify(reply.results)}\n`);
  const code = tellResults(terminal, items, reply, until ? "Snoozed" : "Back in your inbox");
  const ends = reply.results.flatMap((result) =>
    result.success && result.snoozed_until ? [result.snoozed_until] : [],
  );
  for (const end of new Set(ends)) terminal.say(`Back ${new Date(end).toLocaleString()}.`);
  if (until && ends.some((end) => Date.parse(end) < until.getTime()))
    terminal.say("A question comes back before its deadline.");
  return code;
};

/** By the clock of this machine; null brings questions back now. */
function timeOf(text: string, now: Date): Date | null {
  if (text === "now") return null;
  const at = (days: number, hours: number, minutes = 0) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes);
  if (text === "tomorrow") return at(1, MORNING);
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) {
    const today = at(0, Number(hours), Number(minutes));
    return today > now ? today : at(1, Number(hours), Number(minutes));
  }
  const stated = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  const until = new Date(addedTo(now.getTime(), text) ?? stated);
  if (Number.isNaN(until.getTime()))
    throw new CommandExit(EXIT.badInput, `${text} is neither a span like +1h nor a time. ${USAGE}`);
  return until;
}
