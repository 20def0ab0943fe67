import type { WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { stripControls } from "../../domain/clean-text.ts";
import type { Outcome } from "../../protocol/ask.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { cut, oneLine, padded, widthOf } from "./columns.ts";
import { type Format, paintFor } from "./paint.ts";
import { shellWord } from "./shell-word.ts";
import { clockTime, duration } from "./when.ts";

const AGENT_WIDTH = 14;
const EVENT_WIDTH = 9;
/** The question keeps this much room before the command that answers it gets any. */
const LEAST_QUESTION = 36;

const ENDS: Record<Outcome, { mark: string; word: string; format: Format }> = {
  answered: { mark: "✓", word: "answered", format: "green" },
  replied: { mark: "✓", word: "replied", format: "green" },
  cancelled: { mark: "✗", word: "cancelled", format: "dim" },
  timeout: { mark: "✗", word: "timed out", format: "red" },
};

/** One event in one line: when, what, who, about what, and what to do or who did it. On a terminal it fits the screen. */
export function watchLine(item: InboxItem, isNew: boolean, stdout: WriteStream): string {
  const paint = paintFor(stdout);
  const now = Date.now();
  const { mark, word, format } = eventOf(item, isNew);
  const time = clockTime(item.closed_at ?? (isNew ? item.created_at : now), now);
  const agent = padded(clean(item.agent), AGENT_WIDTH);
  const head = `${paint("dim", time)}  ${paint(format, `${mark} ${padded(word, EVENT_WIDTH)}`)}  ${agent}  `;
  const about = [item.title, item.question].flatMap((text) => (text ? [clean(text)] : [])).join(" · ");
  const rest = restOf(item, isNew, now);
  if (!stdout.isTTY) return `${head}${about}${rest && `  ${rest}`}`;
  const room = stdout.columns - widthOf(stripVTControlCharacters(head));
  const isRoom = widthOf(rest) + 2 + Math.min(LEAST_QUESTION, widthOf(about)) <= room;
  // People copy the command, so it is shown in full or not at all.
  const isCommand = item.status === "open" && isNew;
  const end = isRoom ? rest : isCommand ? "" : cut(rest, Math.floor(room / 3));
  if (end === "") return head + cut(about, room);
  return `${head}${padded(about, room - widthOf(end) - 2)}  ${paint("dim", end)}`;
}

function eventOf(item: InboxItem, isNew: boolean): { mark: string; word: string; format: Format } {
  if (item.settled) return ENDS[item.settled.outcome];
  return isNew ? { mark: "●", word: "asked", format: "cyan" } : { mark: "◷", word: "deadline", format: "yellow" };
}

function restOf(
  { settled, answer, took_ms, tool_use_id, deadline_at }: InboxItem,
  isNew: boolean,
  now: number,
): string {
  if (!settled && !isNew) return deadline_at === null ? "none any more" : `now ${clockTime(deadline_at, now)}`;
  if (!settled) return `parley answer ${shellWord(tool_use_id)}`;
  const by = settled.decided_by.kind === "person" ? [clean(settled.decided_by.name)] : [];
  const took = took_ms === null ? [] : [`after ${duration(took_ms)}`];
  return [...(answer ? [`→ ${clean(answer)}`] : []), ...by, ...took].join(" · ");
}

const clean = (text: string): string => oneLine(stripControls(text));
