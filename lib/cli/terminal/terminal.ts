import type { ReadStream, WriteStream } from "node:tty";

/** The terminal in which a command runs. Only results go to stdout; everything for the person goes to stderr. */
export type Terminal = {
  input: ReadStream;
  stdout: WriteStream;
  stderr: WriteStream;
  /** Whether a person at the terminal can press keys. */
  interactive: boolean;
  env: Record<string, string | undefined>;
  /** Of the command. */
  version: string;
  print: (text: string) => void;
  say: (text: string) => void;
};

/** The parsed options of a command. */
export type Values = Record<string, string | boolean | Array<string | boolean> | undefined>;
/** Runs a command and resolves with its exit code. */
export type Run = (terminal: Terminal, args: string[], values: Values) => Promise<number>;

/** The exit codes of all commands. After `limited` and `unreachable`, the same command can succeed later. */
export const EXIT = {
  answered: 0,
  badInput: 1,
  cancelled: 2,
  timedOut: 3,
  unreachable: 4,
  notSignedIn: 5,
  limited: 6,
} as const;

/** Ends a command with a message on stderr and an exit code. */
export class CommandExit extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
