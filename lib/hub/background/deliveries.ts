import type { AskVersion } from "../../db/deliveries.ts";
import type { Ask } from "../../domain/ask.ts";
import type { Call } from "../../protocol/actor.ts";

/** Results that were given to agents and are not noted in the rows yet. */
export class Deliveries {
  #given = new Map<string, AskVersion>();

  /** A page that reads an ask is a person who looks, and Parley itself looks to pass news on. */
  add({ conversation_id, tool_use_id, version }: Ask, { actor }: Call): void {
    if (actor.surface === "browser" || actor.surface === "system") return;
    this.#given.set(`${conversation_id}\n${tool_use_id}`, { conversation_id, tool_use_id, version });
  }

  /** What could not be noted is noted with the next ones. */
  putBack(given: AskVersion[]): void {
    for (const one of given) {
      const key = `${one.conversation_id}\n${one.tool_use_id}`;
      if (!this.#given.has(key)) this.#given.set(key, one);
    }
  }

  take(): AskVersion[] {
    const taken = [...this.#given.values()];
    this.#given = new Map();
    return taken;
  }
}
