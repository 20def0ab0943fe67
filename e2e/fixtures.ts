import { type BrowserContext, test as base, expect } from "@playwright/test";
import { inPagesOf, sendPageSecret } from "./page-secret.ts";
import { startServer, type TestServer } from "./server.ts";

type Fixtures = {
  /** Console errors that a test causes on purpose: `test.use({ expectedErrors: [/409/] })`. */
  expectedErrors: RegExp[];
};

type WorkerFixtures = {
  /** Settings of the server, in addition to the usual ones. */
  settings: Record<string, string>;
  /** This worker's own Parley, with an empty database at first. */
  server: TestServer;
};

/**
 * A test fails on a console error, an uncaught exception or a request to another host: Parley must
 * work without the internet and must not send anything about its users there.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  expectedErrors: [[], { option: true }],

  settings: [{}, { option: true, scope: "worker" }],
  server: [
    async ({ settings }, use) => {
      const server = await startServer(settings);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ server }, use) => {
    await use(server.url);
  },

  context: async ({ context, server, expectedErrors }, use) => {
    const complaints = listen(context, server.url);
    slowDown(context);
    sendPageSecret(context.request, inPagesOf(context, new URL(server.url)));
    await use(context);
    const unexpected = complaints.filter((complaint) => !expectedErrors.some((expected) => expected.test(complaint)));
    expect(unexpected, "errors and foreign requests of the pages").toEqual([]);
  },
});

export { expect };

/** `PARLEY_SLOWDOWN=8` runs every page with an eighth of the CPU. It finds tests and pages that rely on a fast machine. */
const slowdown = Number(process.env.PARLEY_SLOWDOWN ?? 1);

export function slowDown(context: BrowserContext): void {
  if (slowdown <= 1) return;
  context.on("page", async (page) => {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  });
}

/** Collects the errors and foreign requests of the pages in this context. */
export function listen(context: BrowserContext, url: string): string[] {
  const complaints: string[] = [];
  const check = (address: string) => {
    const { protocol, host } = new URL(address);
    if (["data:", "blob:", "about:"].includes(protocol) || host === new URL(url).host) return;
    complaints.push(`request to another origin: ${address}`);
  };
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => check(request.url()));
  context.on("page", (page) => page.on("websocket", (socket) => check(socket.url())));
  return complaints;
}
