import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { expect, test, vi } from "vitest";
import { paintFor } from "./paint.ts";

const piped = new PassThrough() as unknown as WriteStream;
const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 }) as unknown as WriteStream;

test.each([{ format: "red" as const }, { format: ["bold", "red"] as const }])(
  "$format colours a terminal, and nothing else",
  ({ format }) => {
    vi.stubEnv("FORCE_COLOR", undefined);
    expect(paintFor(piped)(format, "Deploy?")).toBe("Deploy?");
    expect(paintFor(terminal)(format, "Deploy?")).toContain("\u001b[31m");
  },
);
