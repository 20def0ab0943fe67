import { expect, onTestFinished, test } from "vitest";
import { insertSession } from "../db/team/statements.ts";
import { testDatabase } from "../db/test-databases.ts";
import { readRows } from "../db/test-sql.ts";
import { testServer } from "../http/test-server.ts";
import { caller, setUp } from "../http/test-team.ts";
import { Seen } from "./seen.ts";
import { newSession } from "./sessions.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

test("a browser's session ends 30 days after its last use and after 90 at most, a terminal's after 12 hours", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const db = await database.open();
  const seen = new Seen(db, (error) => {
    throw error;
  });
  onTestFinished(() => seen.stop());
  const origin = { address: "203.0.113.9", userAgent: "test" };
  const [browser, terminal] = (["browser", "terminal"] as const).map((kind) => {
    return newSession({ id: "per_ada" }, { method: "password", kind }, origin, NOW).row;
  });
  if (!browser || !terminal) throw new Error("there are two");
  await db.runAll([insertSession(browser), insertSession(terminal)]);
  const ends = async () => {
    const rows = await readRows<{ kind: string; expires_at: number }>(db, "select * from auth_session order by kind");
    return rows.map(({ expires_at }) => (Number(expires_at) - NOW) / DAY);
  };
  expect(await ends()).toEqual([30, 0.5]);
  for (const [day, expected] of [
    [20, 50],
    [45, 75],
    [70, 90],
    [89, 90],
  ] as const) {
    const [row] = await readRows<typeof browser>(db, "select * from auth_session where id = ?", [browser.id]);
    if (!row) throw new Error("the session is gone");
    seen.session(row, NOW + day * DAY, null);
    seen.session(terminal, NOW + day * DAY, null);
    await seen.flush();
    expect(await ends()).toEqual([expected, 0.5]);
  }
});

test("the list of sessions says where each was last used from, and keeps where it began", async () => {
  const { url, drop } = await testDatabase("sqlite");
  const server = await testServer(url, { trustedProxies: ["127.0.0.1"] });
  onTestFinished(async () => {
    await server.stop();
    await drop();
  });
  const admin = await setUp(server);
  const elsewhere = caller(server, { ...admin.headers, "x-forwarded-for": "203.0.113.7" });
  await elsewhere.get("/api/me");
  await server.auth.seen.flush();
  const { body } = await admin.get("/api/me/auth-sessions");
  expect(body.sessions).toMatchObject([{ address: "127.0.0.1", seen_from: "203.0.113.7" }]);
});
