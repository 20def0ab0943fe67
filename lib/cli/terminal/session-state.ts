import type { SessionStatus } from "../../protocol/session.ts";
import type { Format } from "./paint.ts";

const STATES: Record<SessionStatus, { word: string; format: Format }> = {
  active: { word: "done", format: "dim" },
  streaming: { word: "running", format: "green" },
  waiting_input: { word: "waiting", format: "yellow" },
  interrupted: { word: "stopped", format: "dim" },
  error: { word: "failed", format: "red" },
  closed: { word: "closed", format: "dim" },
};

/** The state of a conversation in a word that people know. */
export const stateWord = (status: SessionStatus): string => STATES[status].word;
export const stateFormat = (status: SessionStatus): Format => STATES[status].format;
