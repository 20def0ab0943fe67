import type { LaunchOptions } from "../scripts/throwaway/server.ts";
import { Databases } from "./databases.ts";
import { LoadProcess } from "./load-process.ts";
import { MeasuredServer } from "./measured-server.ts";
import type { Options } from "./options.ts";

/** Settings of a server. */
type Env = Record<string, string>;

/** The servers, databases and load that every part uses. `end` removes them all. */
export class Bench {
  readonly options: Options;
  readonly databases = new Databases();
  readonly load = new LoadProcess();
  /** Databases with settled questions, by kind and size, for the parts that share them. */
  readonly seeded = new Map<string, Promise<string>>();
  #servers: MeasuredServer[] = [];

  constructor(options: Options) {
    this.options = options;
  }

  /** Its pages are viewed first, as in every real installation. */
  async startProduct(databaseUrl: string, nodeFlags: string[] = [], more: Env = {}): Promise<MeasuredServer> {
    const server = await this.startUnviewed(databaseUrl, nodeFlags, more);
    await viewPages(server, FIRST_VIEWS);
    return server;
  }

  async startUnviewed(databaseUrl: string, nodeFlags: string[] = [], more: Env = {}): Promise<MeasuredServer> {
    const limits = { ASK_MAX_DEPTH: "1000000000", ASK_MAX_PER_MINUTE: "0", ASK_MAX_OPEN: "0" };
    const env = { DATABASE_URL: databaseUrl, ...limits, LOG_LEVEL: "warn", ...more };
    return this.#keep(await MeasuredServer.start("server", { env, nodeFlags }));
  }

  async startBare(
    program: "limit" | "same-rows" | "bare-inbox" | "bare-search" | "bare-sockets",
    options: LaunchOptions,
  ): Promise<MeasuredServer> {
    return this.#keep(await MeasuredServer.start(program, options));
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  async stopServers(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(servers.map((server) => server.stop()));
  }

  async end(): Promise<void> {
    await this.stopServers();
    this.load.stop();
    await this.databases.removeAll();
  }

  #keep(server: MeasuredServer): MeasuredServer {
    this.#servers.push(server);
    return server;
  }
}

const FIRST_VIEWS = 12;

export async function viewPages({ port }: MeasuredServer, views: number, more: string[] = []): Promise<void> {
  const pages = ["/", "/conversations", "/connect", ...more];
  for (let view = 0; view < views; view++) {
    const page = await fetch(`http://127.0.0.1:${port}${pages[view % pages.length]}`);
    const text = await page.text();
    if (!page.ok) throw new Error(`A page could not be viewed (${page.status}): ${text}`);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
