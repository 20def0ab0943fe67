import type { Database } from "../../db/database.ts";
import { type AskVersion, markDelivered } from "../../db/deliveries.ts";
import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { Call } from "../../protocol/actor.ts";
import { type BackgroundOptions, every } from "./every.ts";

export type Deliveries = {
  /** The caller received the result of this ask. */
  add: (call: Call, ask: Ask) => void;
  /** Records everything noted so far. */
  flush: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Records which results their agents received, in the background, many in one write. What is not recorded when the
 * process dies is lost: the record then says "not yet".
 */
export function startDeliveries(db: Database, { everyMs, clock, onError }: BackgroundOptions): Deliveries {
  let noted = new Map<string, AskVersion>();

  const record = async () => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    try {
      await markDelivered(db, [...batch.values()], clock());
    } catch (error) {
      // Recorded with the next batch, which may know a newer version.
      noted = new Map([...batch, ...noted]);
      throw error;
    }
  };
  const loop = every({ everyMs, onError }, record);

  return {
    add: ({ actor }, ask) => {
      // The browser shows an ask to a person, and Parley reads it to pass it on: the agent received nothing.
      if (isPending(ask) || actor.surface === "browser" || actor.surface === "system") return;
      const { conversation_id, tool_use_id, version } = ask;
      noted.set(`${conversation_id}\n${tool_use_id}`, { conversation_id, tool_use_id, version });
    },
    flush: loop.now,
    stop: async () => {
      await loop.stop();
      await record().catch(onError);
    },
  };
}
