import { hubOf } from "./hub.ts";
import { End, EXIT, type Run, shown } from "./terminal.ts";

/** A conversation round by round. */
export const run: Run = async (terminal, [id], { json }) => {
  if (id === undefined) throw new End(EXIT.badInput, "Usage: parley show SESSION_ID");
  const state = await hubOf(terminal).call("readSession", { params: { id } });
  if (json) {
    terminal.print(`${JSON.stringify(state)}\n`);
    return EXIT.answered;
  }
  terminal.print(`${shown(state.title ?? id)} — ${shown(state.agent)}, ${state.status}\n`);
  for (const { round, question, answer, status, decided_by, tool_use_id } of state.dialog_history) {
    const by = decided_by ? `${shown(decided_by.name)}, ${decided_by.surface}` : `parley answer ${tool_use_id}`;
    terminal.print(`\nRound ${round}/${state.total_rounds}: ${shown(question)}\n`);
    terminal.print(`  ${answer === null ? status : shown(answer)} (${by})\n`);
  }
  return EXIT.answered;
};
