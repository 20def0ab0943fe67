import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { PAGE_SECRET_HEADER } from "../../../lib/protocol/page-secret.ts";
import type { Reply, RestClient } from "../kit/rest-client.ts";
import { agentKey, firstAccount, joined, setupToken, TEAM_PASSWORD, tokenIn } from "../kit/team.ts";

/**
 * Creates a team, and uses each of its secrets where it belongs and where it does not: with a working store, then with a
 * broken one. Returns the secrets, none of which may be in the log, and the replies that revealed one.
 */
export async function spreadTeamSecrets(
  client: RestClient,
  databaseUrl: string,
  spoilStore: () => void,
): Promise<{ secrets: string[]; violations: string[] }> {
  const setup = await setupToken(databaseUrl);
  const admin = await firstAccount(client, setup);
  const mei = await joined(client, admin, "mei");
  const key = await agentKey(client, admin, "builder");
  const as = (method: string, path: string, body?: object) => client.call(method, path, body, admin.headers);
  const made = await as("POST", "/api/keys", { kind: "personal", name: "scripts" });
  const personal = OPERATIONS.createKey.response.parse(made.body).secret;
  const reset = OPERATIONS.createResetLink.response.parse((await as("POST", `/api/people/${mei.id}/reset-link`)).body);
  const device = OPERATIONS.startDevice.response.parse(
    (await client.call("POST", "/api/auth/device", { purpose: "agent", machine: "laptop" })).body,
  );
  const sessions = [admin, mei].map(({ headers }) => headers.cookie.slice(headers.cookie.indexOf("=") + 1));
  const pageSecrets = [admin, mei].map(({ headers }) => headers[PAGE_SECRET_HEADER]);
  const secrets = [
    setup,
    TEAM_PASSWORD,
    key.secret,
    personal,
    tokenIn(reset.url),
    device.device_code,
    ...sessions,
    ...pageSecrets,
  ];
  const violations: string[] = [];
  const use = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const reply: Reply = await client.call(method, path, body, headers);
    const told = secrets.filter((secret) => `${reply.text}${JSON.stringify(reply.headers)}`.includes(secret));
    if (told.length > 0)
      violations.push(`${method} ${path.slice(0, 40)} was answered with ${reply.status} and a secret`);
  };
  const sendAll = async () => {
    for (const secret of secrets) {
      const query = encodeURIComponent(secret);
      const places: Array<Record<string, string>> = [
        { authorization: `Bearer ${secret}` },
        { cookie: `parley=${secret}` },
        { ...admin.headers, [PAGE_SECRET_HEADER]: secret },
        { "x-parley-proxy-secret": secret },
      ];
      for (const headers of places) {
        await use("GET", "/api/inbox", undefined, headers);
        await use("POST", "/api/asks", { question: 7 }, headers);
        await use("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, headers);
      }
      await use("GET", `/api/inbox?key=${query}&token=${query}`);
      await use("GET", `/join?token=${query}`);
      await use("POST", "/api/auth/link", { token: secret });
      await use("POST", "/api/auth/sign-in", { login: "nobody@example.com", password: secret });
      await use("POST", "/api/auth/device/token", { device_code: secret });
    }
  };
  await sendAll();
  spoilStore();
  await sendAll();
  return { secrets, violations };
}
