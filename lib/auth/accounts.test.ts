import * as argon2 from "@node-rs/argon2";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { caller, join, PASSWORD, setUp } from "../http/test-team.ts";
import { isParleyError } from "../protocol/errors.ts";
import { changePassword, signIn } from "./accounts.ts";
import type { AuthContext } from "./context.ts";
import { PasswordGuesses, Throttle } from "./throttle.ts";

// Guessing passwords. Checks are counted, never timed, and the clock is the test's.

vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, verify: vi.fn(real.verify) };
});
const verify = vi.mocked(argon2.verify);
beforeEach(() => void verify.mockClear());

const HERE = { address: "203.0.113.9", userAgent: "test" };
const START = Date.UTC(2026, 0, 1);

async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "signed in";
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return error.code;
  }
}

describe("passwords", () => {
  async function started() {
    const database = await testDatabase("sqlite");
    onTestFinished(database.drop);
    const server = await testServer(database.url);
    onTestFinished(server.stop);
    const admin = await setUp(server);
    const clock = { now: START };
    const now = () => clock.now;
    const ctx: AuthContext = { ...server.auth.ctx, passwordGuesses: new PasswordGuesses(new Throttle(now), now) };
    const guess = (login: string, password = "a wrong password", address = HERE.address) =>
      outcomeOf(signIn(ctx, { login, password }, { ...HERE, address }, Date.now()));
    return { server, admin, ctx, clock, guess };
  }

  test("of 200 guesses five are checked; the right password works after the pause, and elsewhere at once", async () => {
    const { clock, guess } = await started();
    const outcomes: string[] = [];
    for (let n = 0; n < 200; n++) outcomes.push(await guess("ada@example.com", `guess ${n}`));
    expect(outcomes).toEqual([...Array(5).fill("unauthorized"), ...Array(195).fill("rate_limited")]);
    expect(verify).toHaveBeenCalledTimes(5);
    // The right one is not even looked at, so that it cannot be told from a wrong one.
    expect(await guess("ada@example.com", PASSWORD)).toBe("rate_limited");
    // Another address of the same network is the same guesser; nobody elsewhere is locked out.
    expect(await guess("ada@example.com", PASSWORD, "203.0.113.200")).toBe("rate_limited");
    expect(await guess("ada@example.com", PASSWORD, "198.51.100.1")).toBe("signed in");
    expect(await guess("ada@example.com")).toBe("rate_limited");
    clock.now += 1_000;
    expect(await guess("ada@example.com")).toBe("unauthorized");
    clock.now += 1_999;
    expect(await guess("ada@example.com", PASSWORD)).toBe("rate_limited");
    clock.now += 1;
    expect(await guess("ada@example.com", PASSWORD)).toBe("signed in");
    // A sign-in starts the count again.
    for (let n = 0; n < 5; n++) expect(await guess("ada@example.com")).toBe("unauthorized");
    expect(await guess("ada@example.com")).toBe("rate_limited");
  });

  test("guesses sent at once are no more than guesses in a row", async () => {
    const { guess } = await started();
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => guess("ada@example.com", `guess ${n}`)));
    expect(outcomes.filter((code) => code === "unauthorized")).toHaveLength(5);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  test("neither many logins from one network, nor one login from many, nor all of it together gets far", async () => {
    const { guess, clock } = await started();
    expect(await guess("ada@example.com", PASSWORD, "192.0.2.7")).toBe("signed in");
    const checked = async (guesses: Array<[string, string]>) => {
      let count = 0;
      for (const [login, address] of guesses)
        if ((await guess(login, "a wrong password", address)) === "unauthorized") count += 1;
      return count;
    };
    const many = Array.from({ length: 60 }, (_, n) => n);
    expect(await checked(many.map((n) => [`login${n}`, "10.0.0.1"]))).toBe(30);
    expect(await checked(many.map((n) => ["ada@example.com", `10.1.${n}.1`]))).toBe(50);
    const others = Array.from({ length: 240 }, (_, n) => n);
    expect(await checked(others.map((n) => [`other${n}`, `10.2.${n}.1`]))).toBe(220);
    // Ada has signed in from her network before.
    expect(await guess("ada@example.com", PASSWORD, "192.0.2.7")).toBe("signed in");
    clock.now += 15 * 60_000;
    expect(await guess("mei@example.com", "a wrong password", "10.3.0.1")).toBe("unauthorized");
  }, 120_000);

  test.each(["password1234", "123456789012", "qwertyuiop12", "passwordpassword", "Dragon!2026!"])(
    "%s is too easy to guess",
    async (password) => {
      const { admin } = await started();
      const reply = await admin.post("/api/me/password", { current: PASSWORD, password });
      expect(reply.body.error?.message).toMatch(/too easy to guess/);
    },
  );

  test("an unknown login costs exactly one check, as a known one does, and reads the same", async () => {
    const { server, admin, guess } = await started();
    const mei = await join(server, admin, "Mei");
    await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" });
    for (const login of ["ada@example.com", "nobody@example.com", "mei@example.com", "ada@example.com"]) {
      verify.mockClear();
      expect([login, await guess(login)]).toEqual([login, "unauthorized"]);
      expect([login, verify.mock.calls.length]).toEqual([login, 1]);
    }
    // Not even with the right password.
    expect(await guess("mei@example.com", PASSWORD)).toBe("unauthorized");
    const replies = await Promise.all(
      ["ada@example.com", "nobody@example.com", "mei@example.com"].map((login) =>
        caller(server).post("/api/auth/sign-in", { login, password: "a wrong password" }),
      ),
    );
    const [known, ...others] = replies.map(({ status, body, headers }) => [status, body, headers.getSetCookie()]);
    for (const other of others) expect(other).toEqual(known);
  });

  test("guesses are checked two at a time, twenty wait, and everyone else is told to come back", async () => {
    const { guess } = await started();
    await guess("warm-up");
    let running = 0;
    let most = 0;
    verify.mockClear();
    const real = verify.getMockImplementation() ?? argon2.verify;
    verify.mockImplementation(async (...args) => {
      running += 1;
      most = Math.max(most, running);
      try {
        return await real(...args);
      } finally {
        running -= 1;
      }
    });
    onTestFinished(() => void verify.mockImplementation(real));
    const attack = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(`login${n}`, "wrong", `10.0.${n}.1`)));
    expect(attack.filter((code) => code === "unauthorized")).toHaveLength(22);
    expect(attack.filter((code) => code === "rate_limited")).toHaveLength(18);
    expect([most, verify.mock.calls.length]).toEqual([2, 22]);
    expect(await guess("ada@example.com", PASSWORD)).toBe("signed in");
  });

  test("whoever sits at someone's open browser cannot guess the password there either", async () => {
    const { admin, ctx, guess } = await started();
    const actor = {
      kind: "person",
      name: "Ada",
      surface: "browser",
      id: admin.person.id,
      rights: ["account"],
    } as const;
    const attempt = (current: string) =>
      outcomeOf(
        changePassword(ctx, actor, { current, password: "another long one", token: undefined }, HERE, Date.now()),
      );
    const outcomes: string[] = [];
    for (let n = 0; n < 7; n++) outcomes.push(await attempt(`guess ${n}`));
    expect(outcomes).toEqual([...Array(5).fill("invalid_request"), "rate_limited", "rate_limited"]);
    expect(await guess("ada@example.com", PASSWORD)).toBe("rate_limited");
  });
});

test("each failure doubles the pause, from a second to a quarter of an hour", () => {
  let now = START;
  const throttle = new Throttle(() => now);
  const pauses: number[] = [];
  for (let n = 0; n < 20; n++) {
    expect(() => throttle.attempt("x", "::1")).not.toThrow();
    try {
      throttle.attempt("x", "::1").unchecked();
      pauses.push(0);
    } catch (error) {
      const { retry_after = 0 } = isParleyError(error) ? (error.details ?? {}) : {};
      pauses.push(retry_after);
      now += retry_after * 1_000;
    }
  }
  expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900, 900]);
});

test("what strangers may do without limit makes no node read the team again", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const server = await testServer(database.url);
  onTestFinished(server.stop);
  await setUp(server);
  const changed = vi.fn();
  server.auth.onChange(changed);
  const stranger = caller(server, { cookie: `parley=${"x".repeat(43)}` });
  const started = await stranger.post("/api/auth/device", { purpose: "terminal", machine: "m" });
  const { device_code } = started.body as unknown as { device_code: string };
  for (const [path, body] of [
    ["/api/auth/passkey/options", undefined],
    ["/api/auth/device/token", { device_code }],
    ["/api/auth/sign-out", undefined],
    ["/api/auth/sign-in", { login: "ada@example.com", password: "wrong" }],
    ["/api/auth/link", { token: "ott_not-a-token-at-all-000000000" }],
  ] as const)
    await stranger.post(path, body);
  expect(changed).not.toHaveBeenCalled();
});
