import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { expect, test, vi } from "vitest";
import { holdKeyboard } from "./keyboard.ts";

const terminal = () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => modes.push(mode) });
  return { input: input as unknown as ReadStream, press: (key: string) => input.write(key), modes };
};
/** A prompt as the library writes them: it reads keys until Enter, then restores line input and pauses. */
const prompt = (input: ReadStream) =>
  new Promise<string>((resolve) => {
    let typed = "";
    const read = (key: unknown) => {
      if (String(key) !== "\r") {
        typed += String(key);
        return;
      }
      input.off("data", read);
      input.setRawMode(false);
      input.pause();
      resolve(typed);
    };
    input.on("data", read);
  });

test("a key counts while a prompt asks for it, never before and never after", async () => {
  const { input, press, modes } = terminal();
  const keyboard = holdKeyboard(input);
  press("\r");
  const first = keyboard.during(() => prompt(input));
  press("a");
  press("\r");
  expect(await first).toBe("a");
  press("b");
  press("\r");
  const second = keyboard.during(() => prompt(input));
  press("c");
  press("\r");
  expect(await second).toBe("c");
  // In between the terminal neither echoes keys nor turns Enter into a line feed.
  expect(modes.at(-1)).toBe(true);
  expect(input.isPaused()).toBe(false);
  keyboard.release();
  expect(modes.at(-1)).toBe(false);
  expect(input.isPaused()).toBe(true);
});

test("single keys are heard until the command stops listening", () => {
  const { input, press } = terminal();
  const keyboard = holdKeyboard(input);
  const heard: string[] = [];
  const stop = keyboard.listen((key) => heard.push(key));
  press("q");
  stop();
  press("n");
  expect(heard).toEqual(["q"]);
});

test("Ctrl-C stops the command while nothing asks for keys", async () => {
  const { input, press } = terminal();
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const keyboard = holdKeyboard(input);
  const stop = keyboard.listen(() => {});
  press("\u0003");
  expect(kill).not.toHaveBeenCalled();
  stop();
  press("\u0003");
  expect(kill).toHaveBeenCalledWith(process.pid, "SIGINT");
});
