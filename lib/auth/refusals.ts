import type { IncomingMessage } from "node:http";
import type { FoundKey } from "../db/hot/identity.ts";
import { recordRefusals } from "../db/team/change.ts";
import { decidedBy } from "../domain/rights.ts";
import { SYSTEM } from "../protocol/actor.ts";
import type { AuditAction } from "../protocol/audit.ts";
import { isParleyError } from "../protocol/errors.ts";
import type { AuthContext, Origin } from "./context.ts";
import { networkOf } from "./network.ts";

/** A flood leaves one event a minute for each action, and each event names this many refusals at most. */
const EVERY_MS = 60_000;
const MAX_LISTED = 20;

/** `device` is a program that fetches its key, `code` a person who types what a program shows. */
const ACTIONS = {
  password: "sign_in.refused",
  oidc: "sign_in.refused",
  passkey: "sign_in.refused",
  invitation: "sign_in.refused",
  reset: "sign_in.refused",
  device: "device.refused",
  code: "device.refused",
  key: "key.refused",
} as const satisfies Record<string, AuditAction>;

type Method = keyof typeof ACTIONS;
/** How someone tried to get in, and with which login if they typed one or have one. */
export type Attempt = { method: Method; login?: string | undefined };
type Refused = {
  method: Method;
  reason: string;
  /** Only of an account. What else people type there may be a password. */
  login: string | null;
  /** The id of a key that has expired or was revoked. */
  key: string | null;
  address: string;
};
type Listed = Refused & { attempts: number; first_at: string; last_at: string };

/** Records refused sign-ins, device codes and keys: together, for each login, key and network, once a minute. A crash loses the last minute. */
export class Refusals {
  readonly #ctx: AuthContext;
  readonly #clientOf: (request: IncomingMessage) => string;
  readonly #clock: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #events = new Map<AuditAction, { refused: Map<string, Listed>; others: number }>();
  /** A request is identified more than once. */
  readonly #counted = new WeakSet<IncomingMessage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    ctx: AuthContext,
    clientOf: (request: IncomingMessage) => string,
    clock: () => number,
    onError: (error: unknown) => void,
  ) {
    this.#ctx = ctx;
    this.#clientOf = clientOf;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Lets someone in, and notes it if they are refused. */
  async noting<Result>({ method, login }: Attempt, { address }: Origin, enter: () => Promise<Result>): Promise<Result> {
    try {
      return await enter();
    } catch (error) {
      if (isParleyError(error))
        this.#note({ method, reason: error.code, login: this.#accountOf(login), key: null, address });
      throw error;
    }
  }

  /** Notes a key or token that was refused. */
  key(from: IncomingMessage, key: FoundKey | undefined): void {
    if (this.#counted.has(from)) return;
    this.#counted.add(from);
    const address = this.#clientOf(from);
    this.#note({ method: "key", reason: "unauthorized", login: null, key: key?.id ?? null, address });
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = [...this.#events];
    this.#events.clear();
    for (const [action, { refused, others }] of events) {
      const at = this.#clock();
      const after = { refused: [...refused.values()], ...(others > 0 && { others }) };
      await this.#ctx.record.begin(at);
      await recordRefusals(this.#ctx.db, { action, actor: decidedBy(SYSTEM), at, after });
      this.#ctx.record.changed();
    }
  }

  async stop(): Promise<void> {
    await this.flush().catch(this.#onError);
  }

  #note(refusal: Refused): void {
    if (this.#ctx.directory.mode !== "team") return;
    const { method, reason, login, key, address } = refusal;
    const now = new Date(this.#clock()).toISOString();
    const action = ACTIONS[method];
    const event = this.#events.get(action) ?? { refused: new Map<string, Listed>(), others: 0 };
    this.#events.set(action, event);
    const id = [method, reason, login ?? "", key ?? "", networkOf(address)].join("\n");
    const listed = event.refused.get(id);
    if (listed) Object.assign(listed, { address, attempts: listed.attempts + 1, last_at: now });
    else if (event.refused.size < MAX_LISTED)
      event.refused.set(id, { ...refusal, attempts: 1, first_at: now, last_at: now });
    else event.others += 1;
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onError), EVERY_MS).unref();
  }

  #accountOf(login: string | undefined): string | null {
    return login !== undefined && this.#ctx.directory.personByLogin(login) ? login : null;
  }
}
