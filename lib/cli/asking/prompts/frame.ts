import type { WriteStream } from "node:tty";
import { type State, wrapTextWithPrefix } from "@clack/core";
import { S_BAR, S_BAR_END, symbol, symbolBar } from "@clack/prompts";
import type { Keyboard } from "../../terminal/keyboard.ts";
import { paintFor } from "../../terminal/paint.ts";

export type Streams = { keyboard: Keyboard; output: WriteStream; signal?: AbortSignal | undefined };

type Frame = { output: WriteStream; state: State; message: string; body: string[]; hint: string; error: string };

/** Frames a question with its hint; once it is settled, only with the chosen answer. */
export function framed({ output, state, message, body, hint, error }: Frame): string {
  const paint = paintFor(output);
  const bar = `${symbolBar(state)}  `;
  const lines = (text: string) => wrapTextWithPrefix(output, text, bar);
  const title = wrapTextWithPrefix(output, message, bar, `${symbol(state)}  `);
  if (state === "submit" || state === "cancel") {
    return [title, ...body.map((text) => lines(paint("dim", text)))].join("\n");
  }
  const foot = state === "error" ? paint("yellow", error) : paint("dim", hint);
  const end = `${paint("gray", state === "error" ? S_BAR : S_BAR_END)}  `;
  return [title, ...body.map(lines), wrapTextWithPrefix(output, foot, "   ", end), ""].join("\n");
}
