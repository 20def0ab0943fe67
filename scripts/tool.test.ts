import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every npm command begins with a script that needs no package and sets up the rest", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const [name, command] of Object.entries<string>(scripts))
    expect(command, name).toMatch(/^exec node scripts\/(start|test|tool)\.mjs( |$)/);
});
