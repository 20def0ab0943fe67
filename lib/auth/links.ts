import type { z } from "zod";
import { spendSetupTokens } from "../db/team/statements.ts";
import type { LinkView } from "../protocol/sign-in.ts";
import type { AuthContext } from "./context.ts";
import { findUsable, newOneTimeToken } from "./one-time-tokens.ts";

/** What a link is for, without using it. */
export async function readLink(ctx: AuthContext, token: string, now: number): Promise<z.infer<typeof LinkView>> {
  const { row, kind, data } = await findUsable(ctx, token, ["setup", "invite", "reset"], now);
  const expires_at = new Date(row.expires_at).toISOString();
  const nobody = { login: null, name: null, role: null, invited_by: null };
  if (kind === "setup") return { kind, ...nobody, role: "admin", expires_at };
  if ("person_id" in data) {
    const person = ctx.directory.person(data.person_id);
    return { kind, ...nobody, login: person?.login ?? null, name: person?.name ?? null, expires_at };
  }
  const { login, role, invited_by } = data as {
    login: string | null;
    role: "admin" | "member" | "viewer";
    invited_by: string;
  };
  return { kind, ...nobody, login, role, invited_by, expires_at };
}

/** The link that creates the first account. An older one stops working. */
export async function createSetupLink(ctx: Pick<AuthContext, "db" | "publicUrl">, now: number): Promise<string> {
  const { token, statement } = newOneTimeToken({ kind: "setup", data: {}, now });
  await ctx.db.runAll([spendSetupTokens(now), statement]);
  return `${ctx.publicUrl()}/setup#${token}`;
}
