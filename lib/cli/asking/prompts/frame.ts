import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { type State, wrapTextWithPrefix } from "@clack/core";
import { S_BAR, S_BAR_END, symbol, symbolBar } from "@clack/prompts";

export type Streams = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal?: AbortSignal | undefined };

type Frame = { output: Writable; state: State; message: string; body: string[]; hint: string; error: string };

/** Frames a question with its hint; once it is settled, only with the chosen answer. */
export function framed({ output, state, message, body, hint, error }: Frame): string {
  const bar = `${symbolBar(state)}  `;
  const lines = (text: string) => wrapTextWithPrefix(output, text, bar);
  const title = wrapTextWithPrefix(output, message, bar, `${symbol(state)}  `);
  if (state === "submit" || state === "cancel") {
    return [title, ...body.map((text) => lines(styleText("dim", text)))].join("\n");
  }
  const foot = state === "error" ? styleText("yellow", error) : styleText("dim", hint);
  const end = `${styleText("gray", state === "error" ? S_BAR : S_BAR_END)}  `;
  return [title, ...body.map(lines), wrapTextWithPrefix(output, foot, "   ", end), ""].join("\n");
}
