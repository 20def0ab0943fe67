import type { Database } from "../db/database.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { canSee, requireOneOf, scopeOf, seesAll } from "../domain/rights.ts";
import type { Team } from "../domain/team.ts";
import { PURPOSES, type Purpose, type PurposeRule } from "../protocol/access.ts";
import type { Actor, Call, Scope } from "../protocol/actor.ts";
import { isParleyError, ParleyError } from "../protocol/errors.ts";
import { EVERYONE, TEAM_RECORD } from "../protocol/space.ts";
import { type ConversationLabel, conversationNotFound, type Labels, labelOf } from "./conversations/label.ts";

// Who may do what with a conversation. Use cases take an `Access`, which only this file creates, from the caller, the
// conversation and what they want to do. So a use case without a check does not compile.

export type Changing = Exclude<Purpose, "read">;

declare const granted: unique symbol;

/** Proof that a caller may do something with a conversation. */
export type Access<To extends Purpose> = {
  readonly to: To;
  readonly call: Call;
  readonly conversation_id: string;
  readonly [granted]: true;
};
export type Readable = Access<"read">;
export type Askable = Access<"ask">;
export type Answerable = Access<"answer">;
export type Runnable = Access<"run">;

/** A caller and what is in their scope. */
export type Caller = { readonly call: Call; readonly scope: Scope };
/** Proof that a caller may read lists of what is in their scope. */
export type Overview = Caller & { readonly [granted]: true };

/** Proof that a caller may create this conversation, in this place. */
export type Creatable = Access<"ask"> & {
  readonly agent: string;
  readonly space_id: string;
  readonly api_key_id: string | null;
};

/** What is held until its caller loses access. */
export type Held<At> = {
  /** The access as last checked. */
  now: () => At;
  /** Checks again, and throws if they have lost it. */
  renew: () => Promise<void>;
  /** Whether nothing has changed since the last check. */
  isCurrent: () => boolean;
  release: () => void;
};
type Holding<At = Access<Purpose> | Caller> = { at: At; checked: number; onLost: (error: unknown) => void };

type Context = {
  db: Database;
  labels: Labels;
  team: () => Team;
  /** Agents that work on this machine. */
  guardedAgents: ReadonlySet<string>;
  /** The agents that this process runs. */
  node: { readonly agents: ReadonlySet<string> };
};

export class Grants {
  readonly #ctx: Context;
  readonly #confirm: () => Promise<void> | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Set<Holding>();
  /** How often people, spaces, keys or sessions have changed. */
  #changes = 0;

  #checking = false;

  /** `confirm` brings what this node knows of the team up to date; it returns undefined if it is. */
  constructor(ctx: Context, confirm: () => Promise<void> | undefined, onError: (error: unknown) => void) {
    this.#ctx = ctx;
    this.#confirm = confirm;
    this.#onError = onError;
  }

  /** Refuses as if there were no such conversation if the caller may not see it. Returns no promise if nothing must be read. */
  to<To extends Purpose>(to: To, call: Call, conversation_id: string): Access<To> | Promise<Access<To>> {
    const { actor } = call;
    const { needs, changes, steers }: PurposeRule = PURPOSES[to];
    requireOneOf(actor, needs);
    const access = { to, call, conversation_id } as Access<To>;
    const isRunner = !steers || this.#ctx.guardedAgents.size === 0 || actor.rights.includes("run");
    const isRecord = changes && conversation_id === TEAM_RECORD;
    if (seesAll(actor) && isRunner && !isRecord) return access;
    const check = (label: ConversationLabel): Access<To> => {
      if (!canSee(actor, label)) throw conversationNotFound(conversation_id);
      if (isRecord) throw new ParleyError("forbidden", "This is the record of the team. Nobody can change it.");
      if (!isRunner && this.#isGuarded(label)) this.#requireRunner(actor, label.agent);
      return access;
    };
    const label = this.#ctx.labels.get(conversation_id);
    return label ? check(label) : labelOf(this.#ctx, conversation_id).then(check);
  }

  overview(call: Call): Overview {
    requireOneOf(call.actor, PURPOSES.read.needs);
    return { call, scope: scopeOf(call.actor) } as Overview;
  }

  /** For work of Parley itself. */
  own(call: Call, conversation_id: string): Access<never> {
    return { call, conversation_id } as Access<never>;
  }

  /** The same access under another name of the same caller. */
  as<To extends Purpose>(access: Access<To>, actor: Actor): Access<To> {
    return actor === access.call.actor ? access : { ...access, call: { ...access.call, actor } };
  }

  /**
   * A new conversation in a space that the caller may use; an agent key is bound to its space. Conversations of built-in
   * agents are created only for them: `isFor`.
   */
  create(
    call: Call,
    conversation_id: string,
    {
      agent: wanted = "external",
      space_id: chosen = EVERYONE,
    }: { agent?: string | undefined; space_id?: string | undefined },
    { isFor = false }: { isFor?: boolean } = {},
  ): Creatable {
    const { actor } = call;
    requireOneOf(actor, PURPOSES.ask.needs);
    const { key, scope = "all" } = actor;
    // A key is bound to the name of its agent: no agent can ask under that of another.
    const agent = key?.agent ?? wanted;
    const { space_id, api_key_id } = key
      ? { space_id: key.space_id, api_key_id: key.id }
      : { space_id: chosen, api_key_id: null };
    const isForeign = !key && scope !== "all" && !("spaces" in scope && scope.spaces.includes(space_id));
    const space = this.#ctx.team().spaces.get(space_id);
    if (isForeign || (!space && space_id !== EVERYONE))
      throw new ParleyError("forbidden", `There is no space ${chosen} that you can use.`);
    if (space?.archived) throw new ParleyError("forbidden", `The space ${space.name} is archived: ask in another one.`);
    const created = { to: "ask", call, conversation_id, agent, space_id, api_key_id } as Creatable;
    if (!isFor && (this.isBuiltIn(created) || this.#isGuarded(created))) throw reserved(agent);
    if (this.#isGuarded(created)) this.#requireRunner(actor, agent);
    return created;
  }

  /** A conversation that continues another one, in the same place. */
  branch({ call }: Runnable, conversation_id: string, label: ConversationLabel): Creatable {
    const { agent, space_id, api_key_id } = label;
    return { to: "ask", call, conversation_id, agent, space_id, api_key_id } as Creatable;
  }

  /** Whether Parley runs the agent of this conversation. An agent with a key is its owner's, whatever its name. */
  isBuiltIn({ agent, api_key_id }: Pick<ConversationLabel, "agent" | "api_key_id">): boolean {
    return api_key_id === null && this.#ctx.node.agents.has(agent);
  }

  /** The name for a program that cannot choose another one, because it is what the program calls itself. */
  freeName(agent: string): string {
    const label = { agent, api_key_id: null };
    return this.isBuiltIn(label) || this.#isGuarded(label) ? `${agent}-mcp` : agent;
  }

  #isGuarded({ agent, api_key_id }: Pick<ConversationLabel, "agent" | "api_key_id">): boolean {
    return api_key_id === null && this.#ctx.guardedAgents.has(agent);
  }

  /** For something that lasts: checks the access again whenever who may do what changes. */
  hold<At extends Access<Purpose> | Caller>(at: At, onLost: (error: unknown) => void = () => {}): Held<At> {
    const holding: Holding<At> = { at, checked: this.#changes, onLost };
    this.#held.add(holding);
    return {
      now: () => holding.at,
      renew: async () => {
        await this.#confirm();
        await this.#check(holding);
      },
      isCurrent: () => holding.checked === this.#changes,
      release: () => void this.#held.delete(holding),
    };
  }

  /** People, spaces, keys or sessions may have changed. */
  changed(): void {
    this.#changes += 1;
    if (!this.#checking) void this.#checkAll().catch(this.#onError);
  }

  /** One after the other: each may have to be read. */
  async #checkAll(): Promise<void> {
    this.#checking = true;
    try {
      for (let changes = -1; changes !== this.#changes; ) {
        changes = this.#changes;
        for (const holding of [...this.#held]) {
          // One that fails for another reason is checked again before anything is delivered.
          if (holding.checked !== this.#changes) await this.#check(holding).catch(() => {});
        }
      }
    } finally {
      this.#checking = false;
    }
  }

  async #check(holding: Holding): Promise<void> {
    try {
      await this.#renew(holding);
    } catch (error) {
      const isLost = isParleyError(error) && error.code !== "storage_unavailable";
      if (isLost && this.#held.has(holding)) holding.onLost(error);
      throw error;
    }
  }

  #renew(holding: Holding): void | Promise<void> {
    const { at } = holding;
    const { again } = at.call;
    const changes = this.#changes;
    const renewed = (now: Access<Purpose> | Caller) => {
      holding.at = now;
      holding.checked = changes;
    };
    if (!again) return renewed(at);
    const check = (actor: Actor): void | Promise<void> => {
      const call = { ...at.call, actor };
      if ("scope" in at) return renewed({ call, scope: scopeOf(actor) });
      const access = this.to(at.to, call, at.conversation_id);
      return access instanceof Promise ? access.then(renewed) : renewed(access);
    };
    const actor = again();
    return actor instanceof Promise ? actor.then(check) : check(actor);
  }

  #requireRunner({ rights }: Actor, agent: string): void {
    if (rights.includes("run")) return;
    throw new ParleyError(
      "forbidden",
      `The agent ${agent} works on Parley's own machine, and you may not tell it what to do there. An admin can turn it on, and CLAUDE_ALLOWED_ROLES says who may start it.`,
    );
  }
}

function reserved(agent: string): ParleyError {
  return invalidRequest([
    { path: "agent", message: `${agent} is the name of an agent that Parley runs; choose another one` },
  ]);
}
