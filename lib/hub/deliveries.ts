import type { AskKey } from "../db/asks.ts";
import type { Ask } from "../domain/ask.ts";
import type { Call } from "../protocol/actor.ts";

/** Results that were given to agents and are not noted in the rows yet. */
export class Deliveries {
  #given = new Map<string, AskKey>();

  /** A page that reads an ask is a person who looks, and Parley itself looks to pass news on. */
  add({ conversation_id, tool_use_id }: Ask, { actor }: Call): void {
    if (actor.surface === "browser" || actor.surface === "system") return;
    this.#given.set(`${conversation_id}\n${tool_use_id}`, { conversation_id, tool_use_id });
  }

  /** What could not be noted is noted with the next ones. */
  putBack(keys: AskKey[]): void {
    for (const key of keys) this.#given.set(`${key.conversation_id}\n${key.tool_use_id}`, key);
  }

  take(): AskKey[] {
    const taken = [...this.#given.values()];
    this.#given = new Map();
    return taken;
  }
}
