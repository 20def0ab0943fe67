import { answerMany, askMany, closeWaits, openWaits, readMany } from "./many.ts";
import { openSessions } from "./requests.ts";
import { roundTrips } from "./round-trips.ts";

/** What the load process can be told to do. */
export const COMMANDS = { openSessions, roundTrips, askMany, answerMany, readMany, openWaits, closeWaits };
export type Commands = typeof COMMANDS;
export type Told = { name: keyof Commands; given: unknown };
export type Done = { result?: unknown; error?: string };
