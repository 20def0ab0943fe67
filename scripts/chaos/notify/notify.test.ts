import { expect, test } from "vitest";
import { DATABASES } from "../../throwaway/database.ts";
import { runSmall } from "../kit/test-scenario.ts";
import { notify } from "./notify.ts";

test.each(DATABASES)("everyone is told in spite of kill -9 on %s", async (kind) => {
  const { violations, figures } = await runSmall(notify, kind);
  expect(violations).toEqual([]);
  expect(figures.kills).toBe(notify.size.small);
  for (const point of ["after-plan", "after-lease", "after-send"]) expect(figures[point], point).toBeGreaterThan(0);
});
