import { answerMany, askMany, closeWaits, openWaits, readMany } from "./many.ts";
import { openSessions } from "./requests.ts";
import { roundTrips } from "./round-trips.ts";
import { broadcast, closeWatchers, openWatchers, replay, socketTrips } from "./sockets.ts";

/** What the load process can be told to do. */
export const COMMANDS = {
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
export type Told = { name: keyof Commands; given: unknown };
export type Done = { result?: unknown; error?: string };
