import { parseJson } from "../db/json.ts";
import type { Actor } from "../protocol/actor.ts";
import { Me } from "../protocol/sign-in.ts";
import { personView } from "./accounts.ts";
import type { Auth } from "./auth.ts";
import { listSpaces } from "./spaces.ts";

/** What callers can read about themselves. Callers who are not signed in may ask too, to learn how to sign in. */
export function meOf(
  { ctx, oidc, hasPasskeys }: Pick<Auth, "ctx" | "oidc" | "hasPasskeys">,
  actor: Actor,
  host: string | undefined,
): Me {
  const { directory, passwordSignIn } = ctx;
  const isTeam = directory.mode === "team";
  const person = isTeam && actor.kind === "person" && actor.id !== undefined ? directory.person(actor.id) : undefined;
  const { key } = actor;
  const spaces = person
    ? listSpaces(ctx, actor).filter(({ archived }) => !archived)
    : directory.spaces.filter(({ id }) => isTeam && id === key?.space_id);
  return {
    mode: directory.mode,
    person: person ? personView(person) : null,
    key: isTeam && key ? { id: key.id, name: actor.name, agent: key.agent } : null,
    rights: [...actor.rights],
    spaces: spaces.map(({ id, name, requires_second_person }) => ({
      id,
      name,
      requires_second_person,
      notify: person ? directory.wishOf(id, person.id) : "all",
    })),
    locale: Me.shape.locale.catch(null).parse(person?.locale ?? null),
    time_zone: person?.time_zone ?? null,
    quiet_hours: person ? parseJson(person.quiet_hours) : null,
    ways: { password: passwordSignIn, passkey: hasPasskeys(host), oidc: oidc?.name ?? null },
  };
}
