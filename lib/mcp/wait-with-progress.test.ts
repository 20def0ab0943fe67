import { expect, onTestFinished, test, vi } from "vitest";
import type { Ask } from "../domain/ask.ts";
import { maxMsFor, PATIENCE, waitWithProgress } from "./wait-with-progress.ts";

test("a program that gives up at a fixed time gets its reply before that, despite progress", async () => {
  expect(maxMsFor("codex-mcp-client", PATIENCE)).toBeLessThan(300_000);
  expect(maxMsFor("constructor", PATIENCE)).toBe(Number.POSITIVE_INFINITY);
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const waited: number[] = [];
  let progress = 0;
  const ask = await waitWithProgress({
    wait: async (seconds) => {
      waited.push(seconds * 1_000);
      now += seconds * 1_000;
      return { status: "pending" } as Ask;
    },
    signal: new AbortController().signal,
    onProgress: async () => void progress++,
    patience: { progressMs: 20, silentMs: 1_000 },
    maxMs: 50,
  });
  expect(ask.status).toBe("pending");
  expect(progress).toBe(2);
  expect(waited).toEqual([20, 20, 10]);
});
