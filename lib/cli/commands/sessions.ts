import { stripControls } from "../../domain/clean-text.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { EXIT, type Run } from "../terminal/terminal.ts";

/** Lists conversations, latest activity first. */
export const run: Run = async (terminal, _args, { json }) => {
  const { sessions } = await createTerminalClient(terminal).call("listSessions", { query: { limit: 200 } });
  if (json) terminal.print(`${JSON.stringify(sessions)}\n`);
  for (const { session_id, status, agent, current_round, total_rounds, title } of json ? [] : sessions) {
    // Columns of unlimited width come last.
    terminal.print(
      `${session_id}  ${status.padEnd(13)}  ${current_round}/${total_rounds}  ${stripControls(agent)}  ${stripControls(title ?? "")}\n`,
    );
  }
  return EXIT.answered;
};
