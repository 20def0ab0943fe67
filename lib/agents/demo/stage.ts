import type { AgentRun } from "../agent.ts";
import type { Language, Words } from "./words.ts";

/** What every scenario gets: the run, its language, and a way to write at reading speed. */
export type Stage = {
  run: AgentRun;
  language: Language;
  words: Words;
  speak: (text: string) => Promise<void>;
  think: (text: string) => Promise<void>;
};
export type Scenario = (stage: Stage) => Promise<void>;
