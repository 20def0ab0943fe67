import { type BrowserContext, test as base, expect } from "@playwright/test";
import { startServer, type TestServer } from "./server.ts";

type Fixtures = {
  /** Console errors that a test brings about on purpose: `test.use({ expectedErrors: [/409/] })`. */
  expectedErrors: RegExp[];
};

type WorkerFixtures = {
  /** Settings of the server, beside the usual ones. */
  settings: Record<string, string>;
  /** A Parley of this worker alone, with an empty database at first. */
  server: TestServer;
};

/**
 * Pages here fail their test on an error in the console, an uncaught exception or a request to anybody else: Parley must
 * work without the internet, and say nothing about its users to it.
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
    await use(context);
    const unexpected = complaints.filter((complaint) => !expectedErrors.some((expected) => expected.test(complaint)));
    expect(unexpected, "what the pages complained about").toEqual([]);
  },
});

export { expect };

/** What the pages of this context complain about, as it comes. */
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
