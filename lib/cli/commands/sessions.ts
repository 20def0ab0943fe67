import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { SessionSummary } from "../../protocol/session.ts";
import { type Column, table } from "../terminal/columns.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { paintFor } from "../terminal/paint.ts";
import { stateFormat, stateWord } from "../terminal/session-state.ts";
import { EXIT, type Run } from "../terminal/terminal.ts";
import { age } from "../terminal/when.ts";

const PER_PAGE = 200;

/** Lists conversations, latest activity first. */
export const run: Run = async (terminal, _args, { json }) => {
  const sessions = await allSessions(createTerminalClient(terminal, "either"));
  if (json) terminal.print(`${JSON.stringify(sessions)}\n`);
  else if (sessions.length === 0) terminal.say("There are no conversations yet.");
  else {
    const { stdout } = terminal;
    const width = stdout.isTTY ? stdout.columns : undefined;
    terminal.print(`${table(columns(Date.now()), sessions, width, paintFor(stdout)).join("\n")}\n`);
  }
  return EXIT.answered;
};

async function allSessions(hub: Client): Promise<SessionSummary[]> {
  const sessions: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await hub.call("listSessions", { query: { limit: PER_PAGE, cursor } });
    sessions.push(...page.sessions);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return sessions;
}

const columns = (now: number): Column<SessionSummary>[] => [
  { title: "State", text: ({ status }) => stateWord(status), format: ({ status }) => stateFormat(status) },
  { title: "Active", text: ({ updated_at }) => age(updated_at, now) },
  { title: "Round", text: ({ current_round, total_rounds }) => `${current_round}/${total_rounds}`, from: 90 },
  { title: "Agent", text: ({ agent }) => stripControls(agent), grows: true },
  { title: "Title", text: ({ title }) => stripControls(title ?? ""), format: () => "bold", grows: true },
  { title: "Conversation", text: ({ session_id }) => stripControls(session_id) },
];
