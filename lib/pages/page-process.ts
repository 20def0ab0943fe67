import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../child-environment.ts";
import { LIFELINE } from "./lifeline.ts";
import type { PageSettings } from "./settings.ts";

export type PageProcessOptions = {
  /** The program to run: renderer.ts, or its bundle. */
  program: string;
  settings: Omit<PageSettings, "folder" | "pagesSocket" | "hubSocket">;
  /** Its environment. Parley's secrets are not for pages. */
  env: Environment;
  /** The page process crashed, or hung and was killed. */
  onExit: (reason: string) => void;
  /** Time between two pings. */
  pingMs?: number;
  /** Delay before the first restart. */
  restartMs?: number;
};

const PING_MS = 4_000;
/** A page process that leaves so many pings unanswered hangs. Before it is ready, it loads Next, which can keep it busy. */
const MAX_UNANSWERED = 3;
const MAX_UNANSWERED_AT_START = 10;
/** How often its sockets are looked for: programs that clean up the temporary folder remove them. */
const LOOK_MS = 2_000;
/** The delay before a restart doubles with every failure. */
const RESTART_MS = 250;
const MAX_RESTART_MS = 30_000;
/** After running for this long a page process counts as healthy: if it fails, the delay is short again. */
const HEALTHY_MS = 60_000;
/** The path of a socket may have about 100 characters; our names take 40 of them. */
const MAX_TMPDIR_LENGTH = 60;

/** Runs the page process, and restarts it until it is stopped. */
export class PageProcess {
  /** Resolves when the first start has succeeded or failed. */
  readonly firstStart: Promise<void>;
  readonly #options: PageProcessOptions;
  #settleFirstStart = () => {};
  #folder = "";
  #child: ChildProcess | undefined;
  #isUp = false;
  #isStopping = false;
  #failures = 0;
  #restart: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #moving: Promise<void> | undefined;
  #openHub: ((hubSocket: string) => Promise<Server>) | undefined;
  #hub: Server | undefined;
  /** Why it is about to be killed. */
  #reason: string | undefined;

  constructor(options: PageProcessOptions) {
    this.#options = options;
    this.firstStart = new Promise((resolve) => {
      this.#settleFirstStart = resolve;
    });
  }

  /** Whether pages can be served at the moment. */
  get isUp(): boolean {
    return this.#isUp;
  }

  get pagesSocket(): string {
    return join(this.#folder, "pages.sock");
  }

  get hubSocket(): string {
    return join(this.#folder, "hub.sock");
  }

  start(): void {
    this.#makeFolder();
    this.#launch();
    this.#looking = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Opens the hub's socket for the page process, and again wherever that moves. */
  async listen(open: (hubSocket: string) => Promise<Server>): Promise<void> {
    this.#openHub = open;
    this.#hub = await open(this.hubSocket);
  }

  /** Moves to a new folder if a socket is gone: nobody can connect to it any more. */
  look(): void {
    const isGone =
      (this.#isUp && !existsSync(this.pagesSocket)) || (this.#hub !== undefined && !existsSync(this.hubSocket));
    if (!isGone || this.#isStopping) return;
    this.#moving ??= this.#move()
      .catch((error: unknown) => this.#options.onExit(String(error)))
      .finally(() => {
        this.#moving = undefined;
      });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    clearInterval(this.#looking);
    await this.#moving;
    closeServer(this.#hub);
    const child = this.#child;
    if (child) {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #makeFolder(): void {
    // Only this user may open the folder, and therefore the sockets in it.
    const parent = tmpdir().length > MAX_TMPDIR_LENGTH ? "/tmp" : tmpdir();
    this.#folder = mkdtempSync(join(parent, "parley-pages-"));
  }

  async #move(): Promise<void> {
    const before = { folder: this.#folder, hub: this.#hub };
    // Under a new name, because another user may have created the old one since.
    this.#makeFolder();
    this.#isUp = false;
    this.#hub = await this.#openHub?.(this.hubSocket);
    closeServer(before.hub);
    rmSync(before.folder, { recursive: true, force: true });
    // It is started again with the new folder.
    if (this.#child?.kill("SIGKILL")) this.#reason = `its folder ${before.folder} was removed`;
  }

  #launch(): void {
    const { program, settings, env, pingMs = PING_MS } = this.#options;
    const startedAt = Date.now();
    const about = { ...settings, folder: this.#folder, pagesSocket: this.pagesSocket, hubSocket: this.hubSocket };
    const child = spawnNode(program, about, env);
    this.#child = child;
    // A debugger would be taken for a hang.
    if (!settings.development) killIfHanging(child, pingMs, () => this.#isUp);
    child.on("message", (message) => {
      if (message !== "ready") return;
      this.#isUp = true;
      this.#settleFirstStart();
    });
    child.once("exit", (code, signal) => this.#onExit(signal ?? `exit code ${code}`, startedAt));
    child.once("error", (error) => {
      // It could not be started, so there is no exit.
      if (child.pid === undefined) this.#onExit(error.message, startedAt);
    });
  }

  #onExit(reason: string, startedAt: number): void {
    this.#isUp = false;
    this.#child = undefined;
    this.#settleFirstStart();
    if (this.#isStopping) return;
    this.#options.onExit(this.#reason ?? reason);
    this.#reason = undefined;
    this.#failures = Date.now() - startedAt < HEALTHY_MS ? this.#failures + 1 : 1;
    const delay = (this.#options.restartMs ?? RESTART_MS) * 2 ** (this.#failures - 1);
    this.#restart = setTimeout(() => this.#launch(), Math.min(delay, MAX_RESTART_MS));
  }
}

function spawnNode(program: string, settings: PageSettings, env: Environment): ChildProcess {
  // Sources need the loader that this process runs with.
  const flags = program.endsWith(".ts") ? process.execArgv : [];
  const child = spawn(process.execPath, [...flags, program, JSON.stringify(settings)], {
    cwd: settings.root,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
  });
  child.stdio[LIFELINE]?.on("error", () => {});
  return child;
}

function closeServer(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

/** A page that renders forever may keep the whole process busy. */
function killIfHanging(child: ChildProcess, pingMs: number, isUp: () => boolean): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered >= (isUp() ? MAX_UNANSWERED : MAX_UNANSWERED_AT_START)) return void child.kill("SIGKILL");
    unanswered += 1;
    child.send("ping", () => {});
  }, pingMs);
  child.on("message", (message) => {
    if (message === "pong") unanswered = 0;
  });
  child.once("exit", () => clearInterval(timer));
  child.once("error", () => clearInterval(timer));
}
