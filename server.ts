import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { createClaude } from "./lib/agents/claude/claude.ts";
import { exposedIn } from "./lib/agents/claude/folder.ts";
import { createDemo } from "./lib/agents/demo/demo.ts";
import { tellUpgrades } from "./lib/auth/upgrade-notices.ts";
import { type Config, ConfigError, readConfig } from "./lib/config.ts";
import { portOf } from "./lib/http/port-of.ts";
import { PageProcess } from "./lib/pages/page-process.ts";
import { servePages } from "./lib/pages/pages.ts";
import { serve } from "./lib/serve.ts";

/** Slow enough to read along, fast enough not to bore. */
const DEMO_WORDS_PER_SECOND = 12;

/** Longer than a clean stop takes. After this the process exits regardless. */
const STOP_MS = 15_000;

const here = dirname(fileURLToPath(import.meta.url));
const isBuilt = basename(here) === "dist";
const root = isBuilt ? dirname(here) : here;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const config = readConfigOrEnd();
start(config).catch((error) => {
  if (!(error instanceof Error)) end(`Parley could not start (${error}).`);
  if (error.name === "OpenError") end(error.message);
  if (config.logLevel === "debug") process.stderr.write(`${error.stack}\n`);
  const reason = error.message.replaceAll(/\s+/g, " ").trim();
  end(`Parley could not start (${reason}). Start it again; LOG_LEVEL=debug shows where it failed.`);
});

// Whatever Parley writes is for its own user only.
process.umask(0o077);

/** Runs Parley with its pages until it receives a stop signal. */
async function start(config: Config): Promise<void> {
  const { folder, keepOut } = config.claude;
  const exposed = folder === undefined ? undefined : exposedIn(folder, keepOut);
  if (exposed !== undefined)
    end(`CLAUDE_FOLDER (${folder}) contains ${exposed}, which the claude agent must not read. Choose another folder.`);
  const log = pino({ level: config.logLevel, base: null });
  // Nobody knows what such an error left half done. Everything survives a restart, and the supervisor starts Parley again.
  const endAfter = (error: unknown) => {
    log.fatal({ err: error }, "an error was not handled, so Parley ends; start it again");
    process.exit(1);
  };
  process.on("uncaughtException", endAfter);
  process.on("unhandledRejection", endAfter);
  const agents = [createDemo({ wordsPerSecond: DEMO_WORDS_PER_SECOND }), createClaude(config.claude)];
  const pageProcess = new PageProcess({
    program: join(here, isBuilt ? "renderer.js" : "lib/pages/renderer.ts"),
    settings: {
      root,
      development: config.development,
      hostname: config.host,
      port: config.port,
      version,
      agents: agents.map(({ name, about }) => ({ name, about })),
      gallery: config.gallery,
    },
    env: config.pageEnv,
    onExit: (reason) => log.error({ reason }, "the page process ended and is restarted"),
  });
  const { server, stop, auth } = await serve({
    config,
    root,
    version,
    agents,
    listen: async (server) => {
      await listen(server, config);
      pageProcess.start();
    },
    pages: (options) => servePages(pageProcess, options),
    onError: (error) => log.error({ err: error }, "background work failed"),
    onLink: (link) => {
      if (link.up) log.info("the link to the other nodes is back");
      else
        log.warn(
          { reason: link.reason },
          "the link to the other nodes is lost; their changes appear here with a delay",
        );
    },
    onInternal: (reference, error) => log.error({ reference, err: error }, "a request failed"),
  });
  await pageProcess.firstStart;
  const scheme = config.tls ? "https" : "http";
  const address = config.publicUrl ?? `${scheme}://${hostInUrl(config.host)}:${portOf(server)}`;
  process.stdout.write(`Parley ${version} is running at ${address}\n`);
  if (process.getuid?.() === 0)
    log.warn("Parley runs as root: whoever finds a way into it owns this machine. Run it as a separate user.");
  if (config.publicUrl && !config.tls && config.trustedProxies.length === 0)
    log.warn(
      "TRUSTED_PROXY is not set, so X-Forwarded-For is ignored, and everyone who is not signed in counts as one client. For a proxy on this machine, set TRUSTED_PROXY=127.0.0.1,::1.",
    );
  await tellUpgrades(auth.ctx, config.claude.folder, (notice) => log.warn(notice));
  if (auth.ctx.directory.mode === "setup") {
    const link = await auth.setupLink();
    process.stdout.write(
      `Nobody has an account yet. Open this link to create the first one (works once, for 24 hours):\n${link}\n`,
    );
  }

  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), STOP_MS);
      stop().then(
        () => process.exit(0),
        (error) => end(`Parley did not stop cleanly (${error instanceof Error ? error.message : error}).`),
      );
    });
  }
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  await new Promise<void>((resolve) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EADDRINUSE")
        end(`Port ${port} is in use. Stop the program that uses it, or choose another port, for example PORT=3001.`);
      end(`Parley cannot listen on ${host}:${port} (${code ?? message}). Check HOST and PORT.`);
    });
    server.listen(port, host, resolve);
  });
}

function readConfigOrEnd(): Config {
  try {
    return readConfig(root);
  } catch (error) {
    if (error instanceof ConfigError) end(error.message);
    throw error;
  }
}

function hostInUrl(host: string): string {
  if (host === "127.0.0.1") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
