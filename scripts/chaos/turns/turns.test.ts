import { expect, test } from "vitest";
import { runSmall } from "../kit/test-scenario.ts";
import { turns } from "./turns.ts";

test.each(["sqlite", "postgresql"] as const)(
  "no turn is left behind by a failing store or a dead node, on %s",
  async (kind) => {
    const { violations, figures } = await runSmall(turns, kind);
    expect(violations).toEqual([]);
    expect(figures.outages).toBe(turns.size.small);
    expect(figures["turns that went on"]).toBe(kind === "postgresql" ? turns.size.small : 0);
  },
);
