import { ClientError } from "../../client.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { asAgent } from "./as-agent.ts";
import type { AnsweredInput } from "./hook-input.ts";
import { AWAY_MS, settle } from "./settle.ts";
import { answersIn, questionTexts } from "./transcript.ts";

const UNKNOWN = ["session_not_found", "question_not_found"];

/** Tells Parley which answers Claude Code continued with, because they may differ from the record. */
export async function reportAnswers(terminal: Terminal, input: AnsweredInput): Promise<void> {
  const { session_id: session_key, tool_use_id, tool_input, tool_response } = input;
  if (tool_use_id === undefined) return;
  const texts = questionTexts(tool_input);
  const given = answersIn(tool_response);
  const { answers, response = null } = given;
  const body = {
    session_key,
    agent: asAgent.name,
    answers: texts.map((text) => (typeof answers[text] === "string" ? answers[text] : response)),
  };
  const hub = createTerminalClient(asAgent.at(terminal), "agent");
  const report = () => keepTrying(() => hub.call("report", { params: { tool_use_id }, body }), { forMs: AWAY_MS });
  try {
    const { ask } = await report();
    if (ask.status !== "pending") return;
    await settle(terminal, ask, texts, given);
    await report();
  } catch (error) {
    // The question never reached Parley.
    if (!(error instanceof ClientError && UNKNOWN.includes(error.code))) throw error;
  }
}
