import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every command of npm sets up what it needs: it begins with a script that runs without any package", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  for (const [name, command] of Object.entries(scripts))
    expect(command, name).toMatch(/^exec node scripts\/(start|test|tool)\.mjs( |$)/);
});
