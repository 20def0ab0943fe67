import { describe, expect, onTestFinished, test } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { caller, join, setUp, type TestPerson } from "../http/test-team.ts";
import type { Actor } from "../protocol/actor.ts";
import { isParleyError } from "../protocol/errors.ts";
import type { AuthContext } from "./context.ts";
import { decideDevice, pollDevice, readDevice, startDevice } from "./device.ts";
import { LASTS_MS } from "./one-time-tokens.ts";
import { Throttle } from "./throttle.ts";

const HERE = { address: "203.0.113.9", userAgent: "test" };

async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    return ((await attempt) as { status?: string } | undefined)?.status ?? "done";
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return error.code;
  }
}

describe.each(ABOVE_SQL)("letting a machine in (%s)", (kind) => {
  async function started() {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url);
    onTestFinished(server.stop);
    const ada = await setUp(server);
    const mei = await join(server, ada, "Mei");
    const vera = await join(server, ada, "Vera", "viewer");
    const clock = { now: Date.now() };
    const ctx: AuthContext = { ...server.auth.ctx, throttle: new Throttle(() => clock.now) };
    const as = ({ person }: TestPerson): Actor => ({
      kind: "person",
      name: person.name,
      surface: "browser",
      id: person.id,
      rights: ["account"],
    });
    const begin = (purpose: "agent" | "terminal" = "terminal", address = HERE.address) =>
      startDevice(ctx, { purpose, machine: "laptop" }, { ...HERE, address }, clock.now);
    const decide = (who: TestPerson, user_code: string, allow = true) =>
      outcomeOf(decideDevice(ctx, as(who), { user_code, allow }, clock.now));
    const poll = (device_code: string) => pollDevice(ctx, device_code, HERE, clock.now);
    return { server, ada, mei, vera, ctx, clock, as, begin, decide, poll };
  }

  test("of 10,000 guesses of a code five are looked at, and nobody else is slowed down", async () => {
    const { ctx, clock, ada, mei, as, begin } = await started();
    const { user_code } = await begin();
    const guess = (who: TestPerson, code: string) => outcomeOf(readDevice(ctx, as(who), code, clock.now));
    // Those that are not looked at reach no database.
    const guesses = kind === "sqlite" ? 10_000 : 100;
    const outcomes = new Map<string, number>();
    for (let n = 0; n < guesses; n++) {
      const code = `BBBB-${String(n).padStart(4, "0")}`;
      const outcome =
        n % 2 === 0
          ? await guess(mei, code)
          : await outcomeOf(decideDevice(ctx, as(mei), { user_code: code, allow: true }, clock.now));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ token_invalid: 5, rate_limited: guesses - 5 });
    expect(await guess(mei, user_code)).toBe("rate_limited");
    expect(await guess(ada, user_code)).toBe("done");
    clock.now += 1_000;
    expect(await guess(mei, user_code)).toBe("done");
  });

  test("whoever decides first lets it in, as themselves", async () => {
    const { server, ada, mei, begin, decide, poll } = await started();
    const { user_code, device_code } = await begin();
    expect((await Promise.all([decide(ada, user_code), decide(mei, user_code)])).sort()).toEqual([
      "done",
      "token_invalid",
    ]);
    const allowed = await poll(device_code);
    if (allowed.status !== "allowed") throw new Error("it was not let in");
    const program = caller(server, { authorization: `Bearer ${allowed.secret}` });
    expect((await program.get("/api/me")).body).toMatchObject({ person: { name: allowed.name } });
    // Nobody can decide again, and the secret is given out once.
    expect([await decide(mei, user_code, false), await outcomeOf(poll(device_code))]).toEqual([
      "token_invalid",
      "token_invalid",
    ]);
    const denied = await begin();
    expect(await decide(mei, denied.user_code, false)).toBe("done");
    expect(await outcomeOf(poll(denied.device_code))).toBe("denied");
    expect(await outcomeOf(poll(denied.device_code))).toBe("token_invalid");
  });

  test("who may not have an agent's key lets no agent in, and who was disabled lets nobody in", async () => {
    const { ada, mei, vera, begin, decide, poll } = await started();
    const agent = await begin("agent");
    expect(await decide(vera, agent.user_code)).toBe("forbidden");
    expect(await outcomeOf(poll(agent.device_code))).toBe("pending");
    expect(await decide(mei, agent.user_code)).toBe("done");
    await ada.post(`/api/people/${mei.person.id}`, { status: "disabled" });
    expect(await outcomeOf(poll(agent.device_code))).toBe("token_invalid");
  });

  test("a code ends after a quarter of an hour, decided or not", async () => {
    const { ada, clock, begin, decide, poll } = await started();
    const [late, decided] = [await begin(), await begin()];
    clock.now += LASTS_MS.device - 1;
    expect(await decide(ada, decided.user_code)).toBe("done");
    expect(await outcomeOf(poll(late.device_code))).toBe("pending");
    clock.now += 1;
    expect(await decide(ada, late.user_code)).toBe("token_invalid");
    expect([await outcomeOf(poll(late.device_code)), await outcomeOf(poll(decided.device_code))]).toEqual([
      "token_invalid",
      "token_invalid",
    ]);
  });

  test("who asks or begins too often is slowed down, and only they are", async () => {
    const { clock, begin, poll } = await started();
    const [hasty, patient] = [await begin(), await begin()];
    const polls: string[] = [];
    for (let n = 0; n < 12; n++) polls.push(await outcomeOf(poll(hasty.device_code)));
    expect(polls).toEqual([...Array(10).fill("pending"), "rate_limited", "rate_limited"]);
    // At the rate it was told to use.
    for (let n = 0; n < 12; n++) {
      expect(await outcomeOf(poll(patient.device_code))).toBe("pending");
      clock.now += patient.interval_s * 1_000;
    }
    expect(await outcomeOf(poll(hasty.device_code))).toBe("pending");
    for (let n = 0; n < 58; n++) await begin();
    await expect(begin()).rejects.toMatchObject({ code: "rate_limited" });
    await expect(begin("terminal", "203.0.113.77")).rejects.toMatchObject({ code: "rate_limited" });
    await begin("terminal", "198.51.100.1");
    clock.now += 600_000;
    await begin();
  });
});
