import type { ReadStream } from "node:tty";

const INTERRUPT = "\u0003";

/** The keys of a terminal, for as long as a command asks questions there. */
export type Keyboard = {
  input: ReadStream;
  /** Runs a prompt that reads the keys itself. */
  during: <Result>(prompt: () => Promise<Result>) => Promise<Result>;
  /** Calls `heard` with each key until the returned function is called. */
  listen: (heard: (key: string) => void) => () => void;
  release: () => void;
};

/**
 * Keys count only while something on the screen asks for them. A key that was pressed earlier is dropped: nobody answers a
 * question before seeing it, and Enter never arrives as the line feed that a terminal makes of it between prompts.
 */
export function holdKeyboard(input: ReadStream): Keyboard {
  let isAsking = false;
  const drop = (keys: unknown) => {
    // Without line input, Ctrl-C is a key like any other.
    if (!isAsking && String(keys).includes(INTERRUPT)) process.kill(process.pid, "SIGINT");
  };
  const hold = () => {
    isAsking = false;
    input.setRawMode(true);
    input.resume();
  };
  input.on("data", drop);
  hold();
  return {
    input,
    during: async (prompt) => {
      isAsking = true;
      // A prompt restores line input and pauses the stream when it ends.
      return prompt().finally(hold);
    },
    listen: (heard) => {
      const onData = (keys: unknown) => heard(String(keys));
      isAsking = true;
      input.on("data", onData);
      return () => {
        input.off("data", onData);
        isAsking = false;
      };
    },
    release: () => {
      input.off("data", drop);
      input.setRawMode(false);
      input.pause();
    },
  };
}
