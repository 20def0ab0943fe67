import { decidedBy } from "../domain/rights.ts";
import { SYSTEM } from "../protocol/actor.ts";
import { isParleyError } from "../protocol/errors.ts";
import { type AuthContext, change, type Origin } from "./context.ts";
import { networkOf } from "./network.ts";

/** A flood leaves one event a minute, and each names this many at most. */
const EVERY_MS = 60_000;
const MOST = 20;

/** How someone tried to sign in, and with which login if they typed one. */
export type Attempt = { method: string; login?: string };
type Refused = {
  method: string;
  reason: string;
  /** Only of an account. What else people type there may be a password. */
  login: string | null;
  address: string;
  attempts: number;
  first_at: string;
  last_at: string;
};

/** Records refused sign-ins: together, for each login and network, once a minute. A crash loses the last minute. */
export class Refusals {
  readonly #ctx: AuthContext;
  readonly #clock: () => number;
  readonly #onError: (error: unknown) => void;
  #refused = new Map<string, Refused>();
  #others = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: AuthContext, clock: () => number, onError: (error: unknown) => void) {
    this.#ctx = ctx;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Lets someone sign in, and notes it if they are refused. */
  async noting<Result>(
    { method, login }: Attempt,
    { address }: Origin,
    signIn: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await signIn();
    } catch (error) {
      if (isParleyError(error) && this.#ctx.directory.mode === "team")
        this.#note(method, error.code, this.#accountOf(login), address);
      throw error;
    }
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [refused, others] = [[...this.#refused.values()], this.#others];
    this.#refused = new Map();
    this.#others = 0;
    if (refused.length === 0) return;
    const event = { action: "sign_in.refused" as const, actor: decidedBy(SYSTEM), at: this.#clock() };
    await change(this.#ctx, [], { ...event, after: { refused, ...(others > 0 && { others }) } });
  }

  async stop(): Promise<void> {
    await this.flush().catch(this.#onError);
  }

  #note(method: string, reason: string, login: string | null, address: string): void {
    const now = new Date(this.#clock()).toISOString();
    const key = [method, reason, login ?? "", networkOf(address)].join("\n");
    const known = this.#refused.get(key);
    if (known) Object.assign(known, { address, attempts: known.attempts + 1, last_at: now });
    else if (this.#refused.size < MOST)
      this.#refused.set(key, { method, reason, login, address, attempts: 1, first_at: now, last_at: now });
    else this.#others += 1;
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onError), EVERY_MS).unref();
  }

  #accountOf(login: string | undefined): string | null {
    return login !== undefined && this.#ctx.directory.personByLogin(login) ? login : null;
  }
}
