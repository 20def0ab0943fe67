import { z } from "zod";
import { Right } from "./actor.ts";
import { Login, Password, PersonName, PersonView, Role } from "./people.ts";
import { QuietHours } from "./quiet-hours.ts";
import { SpaceId, SpaceView, Wish } from "./space.ts";

/**
 * `open`: nobody has an account, and whoever is on this machine may do everything. `setup`: others could reach Parley, and
 * nobody has an account yet, so nothing works but setting it up. `team`: people sign in.
 */
export const Mode = z.enum(["open", "setup", "team"]);
export type Mode = z.infer<typeof Mode>;

const Locale = z.enum(["en", "zh", "ja"]);

/** What a browser or a program is told about itself. */
export const Me = z.object({
  mode: Mode.describe("`open`: no account exists. `setup`: the first account must be created. `team`: people sign in."),
  person: PersonView.nullable().describe("Who is signed in; null if nobody is."),
  key: z
    .object({
      id: z.string().describe("The key."),
      name: z.string().describe("Its name."),
      agent: z.string().nullable().describe("Its agent."),
    })
    .nullable()
    .describe("The key that this call was made with; null if it was made without one."),
  rights: z.array(Right).describe("What the caller may do."),
  spaces: z
    .array(
      SpaceView.pick({ id: true, name: true, requires_second_person: true }).extend({
        notify: Wish.describe("What you hear of it."),
      }),
    )
    .describe("The spaces that the caller sees, by name."),
  locale: Locale.nullable().describe("The language of pages that the person chose; null for the browser's."),
  time_zone: z.string().nullable().describe("The time zone that the person chose; null for the browser's."),
  quiet_hours: QuietHours.nullable().describe("When the person does not want to be notified; null for never."),
  ways: z
    .object({
      password: z.boolean().describe("With a password."),
      passkey: z.boolean().describe("With a passkey: needs https or localhost."),
      oidc: z.string().nullable().describe("With an identity provider, under this name; null if none is set up."),
    })
    .describe("How people can sign in here."),
});
export type Me = z.infer<typeof Me>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const MyChange = z.object({
  name: PersonName.optional(),
  locale: Locale.nullable().optional().describe("The language of pages; null for the browser's."),
  time_zone: z
    .string()
    .max(60)
    .refine(isTimeZone, "must be an IANA time zone, as in Europe/Berlin")
    .nullable()
    .optional()
    .describe("An IANA time zone; null for the browser's, and UTC for quiet hours."),
  quiet_hours: QuietHours.nullable().optional().describe("When not to notify you; null for never."),
  out_of_office_until: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe("When you are back; null if you are here."),
  delegate_id: z.string().max(64).nullable().optional().describe("Who gets what is assigned to you until then."),
});
export type MyChange = z.infer<typeof MyChange>;

/** A secret that works once, from a link. */
export const LinkToken = z.string().min(20).max(200).describe("What follows `#` in the link.");

export const LinkView = z.object({
  kind: z.enum(["setup", "invite", "reset"]).describe("What the link is for."),
  login: z.string().nullable().describe("Whose it is, if that is known."),
  name: z.string().nullable().describe("Their name, if it is known."),
  role: Role.nullable().describe("What they will be."),
  invited_by: z.string().nullable().describe("Who sent it."),
  expires_at: z.iso.datetime().describe("When it stops working."),
});

export const NewAccount = z.object({
  token: LinkToken,
  name: PersonName,
  login: Login.optional().describe("Needed unless the invitation names it."),
  password: Password,
});
export type NewAccount = z.infer<typeof NewAccount>;

export const AuthSessionView = z.object({
  id: z.string().describe("The session."),
  kind: z.enum(["browser", "terminal"]).describe("Where it is used."),
  method: z.enum(["password", "oidc", "passkey", "proxy", "device"]).describe("How the person signed in."),
  device: z.string().describe("The browser and system, or the machine."),
  address: z.string().describe("Where it was last used from."),
  current: z.boolean().describe("Whether this call was made with it."),
  created_at: z.iso.datetime().describe("When the person signed in."),
  seen_at: z.iso.datetime().describe("When it was last used, to within a minute."),
  expires_at: z.iso.datetime().describe("When it ends unless it is used before."),
});
export type AuthSessionView = z.infer<typeof AuthSessionView>;

export const PasskeyView = z.object({
  id: z.string().describe("The passkey."),
  name: z.string().describe("Its name."),
  created_at: z.iso.datetime().describe("When it was added."),
  used_at: z.iso.datetime().nullable().describe("When it was last used to sign in."),
});
export type PasskeyView = z.infer<typeof PasskeyView>;

/** A program without a browser asks a person who has one to let it in. */
export const DeviceRequest = z.object({
  purpose: z
    .enum(["agent", "terminal"])
    .describe("`agent`: a key for the agents on this machine. `terminal`: to answer from a terminal, for 12 hours."),
  machine: z.string().trim().min(1).max(100).describe("The name of the machine, for the person who decides."),
  agent: z.string().trim().min(1).max(100).optional().describe("With `agent`: the name under which it asks."),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export const DeviceStarted = z.object({
  device_code: z.string().describe("Ask with this whether it was allowed. Show it to nobody."),
  user_code: z.string().describe("What the person types: `WXYZ-1234`."),
  url: z.string().describe("Where they type it."),
  interval_s: z.number().int().describe("Ask at most this often."),
  expires_at: z.iso.datetime().describe("When the code stops working."),
});

export const UserCode = z.string().trim().toUpperCase().min(8).max(12).describe("The code that the terminal shows.");

export const DeviceView = DeviceRequest.extend({
  address: z.string().describe("Where the request came from."),
  created_at: z.iso.datetime().describe("When it was made."),
});

export const DeviceDecision = z.object({
  user_code: UserCode,
  allow: z.boolean().describe("Whether the machine is let in."),
  space_id: SpaceId.optional().describe("For an agent: the space that it asks in."),
});

export const DeviceResult = z.object({
  status: z.enum(["pending", "denied", "allowed"]).describe("What the person decided so far."),
  secret: z.string().optional().describe("The key, or the token of the session. It is shown this once."),
  kind: z.enum(["agent", "terminal"]).optional().describe("What it is."),
  name: z.string().optional().describe("Whose it is, or the agent's name."),
  expires_at: z.iso.datetime().nullable().optional().describe("When it stops working."),
});
