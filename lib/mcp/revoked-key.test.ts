import { expect, onTestFinished, test } from "vitest";
import { mcpMessage, messagesIn } from "../../scripts/chaos/kit/mcp-message.ts";
import { createRandom } from "../../scripts/chaos/kit/random.ts";
import { testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { agentKey, setUp, type TestKey } from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";

// What an agent reads when its key ends while its call waits over HTTP. Clients take a connection that just closes for a
// time-out, and ask again and again.

const ENDS = {
  revoked: (by: TestKey["post"], id: string) => by(`/api/keys/${id}/revoke`),
  rotated: (by: TestKey["post"], id: string) => by(`/api/keys/${id}/rotate`, { grace_s: 0 }),
};

test.each(
  Object.keys(ENDS).flatMap(
    (how) =>
      [
        { how, meta: {} },
        { how, meta: { progressToken: 1 } },
      ] as const,
  ),
)("a call that waits when its key is $how ends with a sentence ($meta)", async ({ how, meta }) => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const server = await testServer(database.url, { patience: { progressMs: 1_000, silentMs: 3_600_000 } });
  onTestFinished(server.stop);
  const admin = await setUp(server);
  const agent = await agentKey(server, admin);
  const random = createRandom(20261119);
  const replies = [1, 2, 3, 4, 5, 6].map(async (nth) => {
    const call = { name: "ask_user_question", arguments: { ...CHOICE, question_text: `Which at ${nth}?` } };
    const { body, headers } = mcpMessage(random, { id: nth, method: "tools/call", call, meta });
    const reply = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...agent.headers },
      body: JSON.stringify(body),
    });
    return { era: headers["mcp-protocol-version"], messages: messagesIn(await reply.text()) };
  });
  await expect.poll(server.hub.waiting, { timeout: 60_000 }).toBe(replies.length);
  const ended = await ENDS[how as keyof typeof ENDS](admin.post, agent.key.id);
  expect(ended.status).toBe(200);
  const read = await Promise.all(replies);
  expect(new Set(read.map(({ era }) => era)).size).toBe(2);
  for (const { messages } of read)
    expect(messages?.at(-1)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(/^unauthorized: .*revoked/) }] },
    });
});
