import type { ReadStream, WriteStream } from "node:tty";

/** Where a command runs. Results go to stdout alone; everything for eyes goes to stderr. */
export type Terminal = {
  input: ReadStream;
  eyes: WriteStream;
  /** A person sits there who can use the keys. */
  interactive: boolean;
  env: Record<string, string | undefined>;
  /** Of the command. */
  version: string;
  print: (text: string) => void;
  say: (text: string) => void;
};

/** The options of a command, as they were given. */
export type Values = Record<string, string | boolean | Array<string | boolean> | undefined>;
/** A command; it ends with its exit code. */
export type Run = (terminal: Terminal, args: string[], values: Values) => Promise<number>;

/** What the caller of a command learns from its exit code. */
export const EXIT = { answered: 0, badInput: 1, cancelled: 2, timedOut: 3, unreachable: 4 } as const;

export const DEFAULT_URL = "http://localhost:3000";

export const hubUrl = ({ env }: Terminal): string => (env.PARLEY_URL || DEFAULT_URL).replace(/\/+$/, "");

/** Ends a command: a sentence for eyes, and its exit code. */
export class End extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
