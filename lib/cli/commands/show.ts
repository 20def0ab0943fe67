import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { MessageView } from "../../protocol/message.ts";
import type { Round } from "../../protocol/session.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { messageText } from "../terminal/message-text.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/** Shows a conversation: its messages, and each round with its answer. */
export const run: Run = async (terminal, [id], { json }) => {
  if (id === undefined) throw new CommandExit(EXIT.badInput, "Usage: parley show SESSION_ID");
  const hub = createTerminalClient(terminal);
  const state = await hub.call("readSession", { params: { id } });
  if (json) {
    terminal.print(`${JSON.stringify(state)}\n`);
    return EXIT.answered;
  }
  const { title, agent, status, dialog_history, total_rounds } = state;
  terminal.print(`${stripControls(title ?? id)} — ${stripControls(agent)}, ${status}\n`);
  const rounds = new Map(dialog_history.map((round) => [round.sequence_num, round]));
  const asked = new Set<unknown>(dialog_history.map(({ tool_use_id }) => tool_use_id));
  for await (const message of messagesOf(hub, id)) {
    const round = rounds.get(message.sequence_num);
    if (round) terminal.print(`\n${roundText(round, total_rounds)}\n`);
    // The round already shows the result of its question.
    else if (!asked.has(message.content.tool_use_id)) terminal.print(`\n${messageText(message, agent)}\n`);
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

function roundText({ round, header, question, answer, status, decided_by, tool_use_id }: Round, total: number): string {
  const by = decided_by
    ? `${stripControls(decided_by.name)}, ${decided_by.surface}`
    : `parley answer ${shellWord(tool_use_id)}`;
  const heading = `Round ${round}/${total}${header ? ` · ${stripControls(header)}` : ""}`;
  return `${heading}: ${stripControls(question)}\n  ${answer === null ? status : stripControls(answer)} (${by})`;
}
