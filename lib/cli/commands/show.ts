import type { WriteStream } from "node:tty";
import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { MessageView } from "../../protocol/message.ts";
import type { Round } from "../../protocol/session.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { messageText } from "../terminal/message-text.ts";
import { paintFor } from "../terminal/paint.ts";
import { stateWord } from "../terminal/session-state.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";
import { clockTime } from "../terminal/when.ts";
import { whoOf } from "../terminal/who.ts";
import { wrapped } from "../terminal/wrap.ts";

/** Shows a conversation: its messages, and each round with its answer. */
export const run: Run = async (terminal, [id], { json }) => {
  if (id === undefined) throw new CommandExit(EXIT.badInput, "Usage: parley show SESSION_ID");
  const hub = createTerminalClient(terminal, "either");
  const state = await hub.call("readSession", { params: { id } });
  if (json) {
    terminal.print(`${JSON.stringify(state)}\n`);
    return EXIT.answered;
  }
  const { title, agent, status, dialog_history, total_rounds, updated_at } = state;
  const paint = paintFor(terminal.stdout);
  const facts = [stripControls(agent), stateWord(status), `last active ${clockTime(updated_at, Date.now())}`, id];
  terminal.print(`${paint("bold", stripControls(title ?? id))}\n${paint("dim", facts.join(" · "))}\n`);
  const rounds = new Map(dialog_history.map((round) => [round.sequence_num, round]));
  const asked = new Set<unknown>(dialog_history.map(({ tool_use_id }) => tool_use_id));
  for await (const message of messagesOf(hub, id)) {
    const round = rounds.get(message.sequence_num);
    if (round) terminal.print(`\n${roundText(round, total_rounds, terminal.stdout)}\n`);
    // The round already shows the result of its question.
    else if (!asked.has(message.content.tool_use_id))
      terminal.print(`\n${wrapped(messageText(message, agent, paint), terminal.stdout)}\n`);
  }
  return EXIT.answered;
};

async function* messagesOf(hub: Client, id: string): AsyncGenerator<MessageView> {
  let after = 0;
  for (;;) {
    const { messages, last_sequence } = await hub.call("readMessages", {
      params: { id },
      query: { after, limit: 200 },
    });
    yield* messages;
    after = messages.at(-1)?.sequence_num ?? last_sequence;
    if (after >= last_sequence) return;
  }
}

function roundText({ round, header, question, ...settled }: Round, total: number, stdout: WriteStream): string {
  const paint = paintFor(stdout);
  const { answer, status, decided_by, tool_use_id } = settled;
  const heading = `Round ${round}/${total}${header ? ` · ${stripControls(header)}` : ""}`;
  const by = decided_by ? whoOf(decided_by) : `parley answer ${shellWord(tool_use_id)}`;
  const said =
    answer === null ? paint(status === "pending" ? "yellow" : "dim", status) : paint("green", stripControls(answer));
  const asked = `${paint("cyan", heading)}: ${paint("bold", stripControls(question))}`;
  return `${wrapped(asked, stdout)}\n${wrapped(`${said} ${paint("dim", `(${by})`)}`, stdout, "  ")}`;
}
