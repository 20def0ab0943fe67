import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { test } from "vitest";

test("docs/protocol.md agrees with the contract and a real run", async () => {
  await promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/docs/protocol-page.ts", "--check"]);
});
