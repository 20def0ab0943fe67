import { describe, expect, onTestFinished, test } from "vitest";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { execute } from "../db/test-sql.ts";
import { testServer } from "../http/test-server.ts";
import { agentKey, join, newSpace, setUp } from "../http/test-team.ts";
import { byAgent } from "../hub/test-hub.ts";
import { tellUpgrades } from "./upgrade-notices.ts";

describe.each(DATABASES)("what an upgrade ended, on %s", (kind) => {
  const started = async () => {
    const { url, drop } = await testDatabase(kind);
    onTestFinished(drop);
    const server = await testServer(url);
    onTestFinished(server.stop);
    const told = async (folder?: string) => {
      const notices: string[] = [];
      await tellUpgrades(server.auth.ctx, folder, (notice) => notices.push(notice));
      return notices;
    };
    return { server, told };
  };

  test("is told at the first start after it, and never again", async () => {
    const { server, told } = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const space_id = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const lost = await agentKey(server, mei, "lost", space_id);
    const ended = await agentKey(server, mei, "ended");
    await agentKey(server, admin, "works");
    await admin.post("/api/invitations", { login: "late@example.com", role: "member", space_ids: [] });
    const { db } = server.auth.ctx;
    // As the upgrade leaves them.
    await server.hub.createConversation(byAgent(), { title: "old" });
    await execute(db, "update conversation set agent = 'claude' where title = 'old'");
    await execute(db, "update api_key set revoked_at = created_at where id = ?", [ended.key.id]);
    await execute(db, "update one_time_token set used_at = created_at where used_at is null and kind = 'invite'");
    await admin.post(`/api/spaces/${space_id}`, { members: [] });
    expect(await told()).toEqual([
      expect.stringContaining("`parley team --agents on`"),
      expect.stringContaining("CLAUDE_FOLDER"),
      expect.stringMatching(/^Keys of people who are disabled .* ended key/),
      expect.stringMatching(new RegExp(`^These agent keys .*: lost key \\(${lost.key.hint.slice(0, 12)}[^,]*\\)\\.$`)),
      expect.stringContaining("Open invitations"),
      expect.stringContaining("Everyone who uses a browser must sign in again"),
    ]);
    expect(await told()).toEqual([]);
  });

  test("is nothing in a new database, and what does not apply is not told", async () => {
    const { server, told } = await started();
    expect(await told()).toEqual([]);
    await server.hub.createConversation(byAgent(), { title: "old" });
    await execute(server.auth.ctx.db, "update conversation set agent = 'claude'");
    expect(await told()).toEqual([]);
    await execute(server.auth.ctx.db, "update team_state set upgrades_told = null");
    expect(await told("/work")).toEqual([]);
  });
});
