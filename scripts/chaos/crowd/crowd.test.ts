import { describe, expect, test } from "vitest";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { crowd } from "./crowd.ts";

/** The cost of a wait does not depend on the database, but the time to ask this many questions first does. */
const WAITS = { sqlite: crowd.small.times, postgresql: 2_000 };

describe.each(DATABASES)("a crowd on %s", (kind) => {
  test(`${WAITS[kind]} waits at once are cheap, and each is released by its answer`, async () => {
    const { violations, figures } = await crowd.run(await testOptions(kind, WAITS[kind]));
    expect(violations).toEqual([]);
    expect(figures.waits).toBe(WAITS[kind]);
  });
});
