import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import { answersText, deciderOf } from "../../domain/views/answer-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { openItems } from "../asking/open-items.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { inboxEvents } from "../terminal/inbox-events.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import { ring } from "../terminal/ring.ts";
import { EXIT, type Run, type Terminal } from "../terminal/terminal.ts";
import { watchLine } from "../terminal/watch-line.ts";

const POLL_MS = 1_000;

/** Shows questions as they arrive and how they end, until stopped. A terminal rings for each one that arrives. */
export const run: Run = async (terminal, _args, { json, quiet }) => {
  const hub = createTerminalClient(terminal, "person");
  const canRing = terminal.stdout.isTTY && !json && !quiet;
  let isWatching = false;
  const board = createBoard(hub, (item, isNew) => {
    const line = json ? JSON.stringify(item) : watchLine(item, isNew, terminal.stdout);
    terminal.print(`${line}\n${canRing && isWatching && isNew ? ring(item, terminal.env) : ""}`);
  });
  // Being unreachable is an error at the start, and temporary later.
  await board.read(0);
  isWatching = true;
  const onTrouble = (message: string) => terminal.say(`${stripControls(message)} Trying again.`);
  const end = await inboxEvents(terminal, {
    onConnect: () => board.read(Number.POSITIVE_INFINITY),
    onItem: board.apply,
    onTrouble,
  });
  if (end === "disabled") await poll(board, terminal);
  return EXIT.answered;
};

/** For a Parley without sockets. */
async function poll(board: Board, terminal: Terminal): Promise<never> {
  terminal.say("Sockets are turned off in this Parley, so changes appear with a short delay.");
  for (;;) {
    await sleep(POLL_MS);
    await board.read(Number.POSITIVE_INFINITY);
  }
}

type Board = ReturnType<typeof createBoard>;

/** What is open, as far as it was shown. Changes are shown in the order in which they come. */
function createBoard(hub: Client, show: (item: InboxItem, isNew: boolean) => void) {
  const open = new Map<string, InboxItem>();
  let last: Promise<void> = Promise.resolve();
  const inOrder = (work: () => Promise<void> | void) => {
    last = last.then(work);
    return last;
  };
  const update = (item: InboxItem) => {
    const known = open.get(item.inbox_item_id);
    // Put away: it is shown again when it comes back.
    if (item.status === "open" && item.snoozed_until !== null) open.delete(item.inbox_item_id);
    else if (item.status === "open") {
      open.set(item.inbox_item_id, item);
      if (!known || known.deadline_at !== item.deadline_at) show(item, !known);
    } else if (known) {
      open.delete(item.inbox_item_id);
      show(item, false);
    }
  };
  return {
    apply: (item: InboxItem) => inOrder(() => update(item)),
    /** Finds what has changed since the last time. */
    read: (forMs: number) =>
      inOrder(async () => {
        const items = await keepTrying(() => openItems(hub), { forMs });
        const now = new Set(items.map(({ inbox_item_id }) => inbox_item_id));
        for (const item of items) update(item);
        for (const item of [...open.values()].filter(({ inbox_item_id }) => !now.has(inbox_item_id))) {
          const end = await keepTrying(() => settled(hub, item), { forMs });
          if (end) update(end);
          else open.delete(item.inbox_item_id);
        }
      }),
  };
}

/** How the question ended, or undefined if it is open again. */
async function settled(hub: Client, item: InboxItem): Promise<InboxItem | undefined> {
  const { tool_use_id, session_id } = item;
  const { ask } = await hub.call("readAsk", { params: { tool_use_id }, query: { session_id } });
  const { result, decided_at: closed_at } = ask;
  if (!result) return undefined;
  const took_ms = closed_at === null ? null : Date.parse(closed_at) - Date.parse(item.created_at);
  return {
    ...item,
    status: "closed",
    closed_at,
    took_ms,
    answer: answersText(result),
    settled: { outcome: result.outcome, decided_by: deciderOf(result) },
  };
}
