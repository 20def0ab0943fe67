import type { z } from "zod";
import { parseJson, toJson } from "../db/json.ts";
import { changeTokens } from "../db/team/change.ts";
import { findTokenByCode } from "../db/team/read.ts";
import { decideToken, requireUnchanged, spendToken } from "../db/team/statements.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import type { DeviceDecision, DeviceRequest, DeviceResult, DeviceStarted, DeviceView } from "../protocol/sign-in.ts";
import { newKey } from "./api-keys.ts";
import { type AuthContext, accountOf, change, type Origin, recordedAs, requireTeam } from "./context.ts";
import { networkOf } from "./network.ts";
import { findUsable, newOneTimeToken, type TokenData, tokenInvalid } from "./one-time-tokens.ts";
import { newUserCode, plainUserCode } from "./secrets.ts";
import { newSession } from "./sessions.ts";

// A program without a browser shows a code; a person types it in a browser where they are signed in, sees which machine it
// is, and lets it in. The program learns it by asking from time to time.

const INTERVAL_S = 3;

export async function startDevice(
  ctx: AuthContext,
  request: DeviceRequest,
  { address }: Origin,
  now: number,
): Promise<z.infer<typeof DeviceStarted>> {
  requireTeam(ctx);
  ctx.deviceStarts.use(networkOf(address), now);
  const code = newUserCode();
  const data: TokenData["device"] = { ...request, address, decision: null };
  const { token, row, statement } = newOneTimeToken({ kind: "device", data, code, now });
  await changeTokens(ctx.db, [statement]);
  return {
    device_code: token,
    user_code: code,
    url: `${ctx.publicUrl()}/device`,
    interval_s: INTERVAL_S,
    expires_at: new Date(row.expires_at).toISOString(),
  };
}

/** Which machine a code is for. Guesses are slowed down for each person who makes them. */
export async function readDevice(
  ctx: AuthContext,
  actor: Actor,
  user_code: string,
  now: number,
): Promise<z.infer<typeof DeviceView>> {
  const { row, data } = await byCode(ctx, actor, user_code, now);
  const { purpose, machine, agent, address } = data;
  return { purpose, machine, agent, address, created_at: new Date(row.created_at).toISOString() };
}

export async function decideDevice(
  ctx: AuthContext,
  actor: Actor,
  { user_code, allow, space_id = undefined }: z.infer<typeof DeviceDecision>,
  now: number,
): Promise<void> {
  const person = accountOf(ctx, actor);
  const { row, data } = await byCode(ctx, actor, user_code, now);
  const { session } = actor;
  const { proof = null, sid = null } = session === "proxy" ? { proof: session } : (session ?? {});
  const decision = { allow, person_id: person.id, space_id: space_id ?? null, session: { proof, sid } };
  // Refused now rather than when the program comes for its key, where nobody would see why.
  if (allow && data.purpose === "agent") newKey(ctx, person, keyFor(data, decision.space_id), now);
  const decided = { data: toJson<Record<string, unknown>>({ ...data, decision }), person_id: person.id };
  const statements = [requireUnchanged(person), decideToken(row, decided)];
  const after = { purpose: data.purpose, machine: data.machine, agent: data.agent ?? null };
  const event = allow ? { action: "device.allowed" as const, actor: decidedBy(actor), at: now, after } : null;
  if (!(await change(ctx, statements, event))) throw tokenInvalid();
}

/** What the person has decided so far. The secret is given out once. */
export async function pollDevice(
  ctx: AuthContext,
  device_code: string,
  { address, userAgent }: Origin,
  now: number,
): Promise<z.infer<typeof DeviceResult>> {
  const { row, data } = await findUsable(ctx, device_code, ["device"], now);
  ctx.devicePolls.use(row.hash, now);
  const { decision, purpose, machine } = data;
  if (!decision) return { status: "pending" };
  if (!decision.allow) {
    await changeTokens(ctx.db, [spendToken(row, now)]);
    return { status: "denied" };
  }
  const person = ctx.directory.person(decision.person_id);
  if (person?.status !== "active") throw tokenInvalid();
  if (purpose === "terminal") {
    const origin = { address, userAgent: `${machine} · ${userAgent}` };
    const session = newSession(person, { method: "device", kind: "terminal", ...decision.session }, origin, now);
    const event = {
      action: "person.signed_in" as const,
      actor: recordedAs(person, "cli"),
      at: now,
      after: { session: session.row.id, method: "device", machine, address },
    };
    if (!(await change(ctx, [spendToken(row, now), session.statement], event))) throw tokenInvalid();
    const expires_at = new Date(session.row.expires_at).toISOString();
    return { status: "allowed", kind: "terminal", secret: session.token, name: person.name, expires_at };
  }
  const key = newKey(ctx, person, keyFor(data, decision.space_id), now);
  const event = { action: "key.created" as const, actor: recordedAs(person, "cli"), at: now, after: key.after };
  if (!(await change(ctx, [spendToken(row, now), ...key.statements], event))) throw tokenInvalid();
  return { status: "allowed", kind: "agent", secret: key.secret, name: key.row.agent ?? "", expires_at: null };
}

function keyFor({ machine, agent }: DeviceRequest, space_id: string | null) {
  const name = agent ?? "external";
  // A person at that machine may answer in the agent's own terminal, which then reports it.
  const can_report = true;
  return {
    kind: "agent" as const,
    name: `${name} on ${machine}`,
    agent: name,
    can_report,
    ...(space_id && { space_id }),
  };
}

async function byCode(ctx: AuthContext, actor: Actor, user_code: string, now: number) {
  const who = `code ${actor.id}`;
  const attempt = ctx.throttle.attempt(who, "");
  const row = await findTokenByCode(ctx.db, plainUserCode(user_code));
  const data = row && (parseJson(row.data) as TokenData["device"]);
  if (!row || !data || row.used_at !== null || row.expires_at <= now || data.decision) throw tokenInvalid();
  attempt.succeeded();
  return { row, data };
}
