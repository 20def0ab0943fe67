/** Limits of an ask and an answer, all of them settings: lib/config.ts. */
export type Limits = {
  maxQuestions: number;
  maxOptions: number;
  headerMax: number;
  questionMax: number;
  /** Asks per turn before the agent must finish or hand back. */
  maxDepth: number;
  textMax: number;
  /** Seconds until an ask without its own deadline times out; 0 means never. */
  defaultTimeoutS: number;
  /** Asks of one agent's key in a minute, and how many of them may be open; 0 is no limit. */
  maxPerMinute: number;
  maxOpen: number;
};

export const DEFAULT_LIMITS: Limits = {
  maxQuestions: 4,
  maxOptions: 4,
  headerMax: 12,
  questionMax: 500,
  maxDepth: 10,
  textMax: 10_000,
  defaultTimeoutS: 0,
  maxPerMinute: 60,
  maxOpen: 100,
};

/** Limits that the contract fixes for every installation. */
export const CONTRACT_LIMITS = {
  label: 50,
  optionDescription: 200,
  preview: 20_000,
  contextText: 20_000,
  structured: { options: 50, questions: 20, levels: 5, question: 2_000, description: 4_000, header: 100, label: 500 },
  answer: { multiple_choice: 256, checkbox: 1_000 },
  notes: 4_000,
  reason: 1_000,
  bodyBytes: 1024 * 1024,
  importBytes: 32 * 1024 * 1024,
  /** Lines per import, and messages in them. */
  importMessages: 100_000,
  /** Per line of an import, because each line is parsed in one go. */
  importLineBytes: 8 * 1024 * 1024,
  importLineValues: 100_000,
  jsonDepth: 64,
  /** Numbers, strings, arrays and objects per body: each costs far more memory than its text. */
  jsonValues: 20_000,
  waitSeconds: 55,
  batchAnswers: 100,
  timeoutSeconds: 10 * 366 * 86_400,
} as const;
