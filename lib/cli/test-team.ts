import { type Client, createClient } from "../client.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { PAGE_SECRET_HEADER } from "../protocol/page-secret.ts";
import { type Running, start } from "./test-cli.ts";

export const PASSWORD = "correct horse battery";

/** A server where Ana is the admin, and what she does in her browser. */
export type TestTeam = TestServer & {
  /** Ana's browser. */
  ana: Client;
  /** Decides about the code that a command shows on stderr. */
  decide: (running: Running, allow: boolean) => Promise<void>;
  /** Runs `parley login` with these arguments, and lets it in. */
  login: (args: string[], env: Record<string, string>) => ReturnType<typeof start>["ended"];
};

export async function testTeam(databaseUrl: string, options: Parameters<typeof testServer>[1] = {}): Promise<TestTeam> {
  const server = await testServer(databaseUrl, options);
  const ana = await firstAccount(server, await server.auth.setupLink());
  const decide = async (running: Running, allow: boolean) => {
    await running.says("enter the code");
    const user_code = /enter the code (\S+)/.exec(running.stderr())?.[1] ?? "";
    await ana.call("decideDevice", { body: { user_code, allow } });
  };
  const login = async (args: string[], env: Record<string, string>) => {
    const running = start(["login", ...args], { env: { PARLEY_URL: server.url, ...env }, input: "" });
    await decide(running, true);
    return running.ended;
  };
  return { ...server, ana, decide, login };
}

/** Creates an account with a link, and returns its owner's browser. */
export async function firstAccount({ url }: Pick<TestServer, "url">, link: string): Promise<Client> {
  const [, token] = link.trim().split("#");
  return browserOf(url, "setup", { token, name: "Ana", login: "ana@example.com", password: PASSWORD });
}

/** A browser that signed in by one of the ways of `/api/auth`. */
export async function browserOf(
  url: string,
  way: "setup" | "sign-in" | "reset" | "accept",
  body: object,
): Promise<Client> {
  const reply = await fetch(`${url}/api/auth/${way}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);
  const cookie = reply.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const { page_secret } = (await reply.json()) as { page_secret: string };
  return createClient({ url, headers: () => ({ cookie, [PAGE_SECRET_HEADER]: page_secret }) });
}
