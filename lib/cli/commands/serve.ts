import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { homeOf } from "../../config.ts";
import { programRoot } from "../terminal/program-root.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/** Runs Parley in this process until it is stopped. Options are settings that override the others. */
export const run: Run = async (terminal, args, { port, host, home }) => {
  if (args.length > 0)
    throw new CommandExit(EXIT.badInput, "Usage: parley serve [--port PORT] [--host ADDRESS] [--home FOLDER]");
  const { env } = terminal;
  if (typeof port === "string") env.PORT = port;
  if (typeof host === "string") env.HOST = host;
  if (typeof home === "string") env.PARLEY_HOME = home;
  const root = programRoot();
  terminal.say(`Data and settings are in ${homeOf(root, env)}`);
  const { startServer } = await import(pathToFileURL(join(root, "scripts/setup/start-server.mjs")).href);
  await startServer();
  // The server ends the process.
  return new Promise(() => {});
};
