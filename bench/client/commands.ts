import { sendAlways } from "./connection.ts";
import { answerMany, askMany, closeWaits, openWaits, readMany } from "./many.ts";
import { openSessions } from "./requests.ts";
import { roundTrips } from "./round-trips.ts";
import { broadcast, closeWatchers, openWatchers, replay, socketTrips } from "./sockets.ts";

/** The commands of the load process. */
export const COMMANDS = {
  sendAlways,
  openSessions,
  roundTrips,
  askMany,
  answerMany,
  readMany,
  openWaits,
  closeWaits,
  socketTrips,
  openWatchers,
  broadcast,
  closeWatchers,
  replay,
};
export type Commands = typeof COMMANDS;
export type LoadCommand = { name: keyof Commands; input: unknown };
export type LoadReply = { result?: unknown; error?: string };
