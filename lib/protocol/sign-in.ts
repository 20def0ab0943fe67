import { z } from "zod";
import { Right } from "./actor.ts";
import { Login, Name, Password, PersonName, PersonView, Role } from "./people.ts";
import { QuietHours } from "./quiet-hours.ts";
import { SpaceId, SpaceView, Wish } from "./space.ts";

/**
 * `open`: nobody has an account, and anyone on this machine may do everything. `setup`: others can reach Parley but nobody
 * has an account yet, so only setup works. `team`: people sign in.
 */
export const Mode = z.enum(["open", "setup", "team"]);
export type Mode = z.infer<typeof Mode>;

const Locale = z.enum(["en", "zh", "ja"]);

/** What callers can read about themselves. */
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
    .describe("The key this call was made with; null if it was made without one."),
  rights: z.array(Right).describe("What the caller may do."),
  spaces: z
    .array(
      SpaceView.pick({ id: true, name: true, requires_second_person: true }).extend({
        notify: Wish.describe("Which of its questions you are notified about."),
      }),
    )
    .describe("The spaces the caller can see, by name."),
  locale: Locale.nullable().describe("The page language the person chose; null for the browser's."),
  time_zone: z.string().nullable().describe("The time zone the person chose; null for the browser's."),
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
  locale: Locale.nullable().optional().describe("The page language; null for the browser's."),
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
    .describe("When you are back; null if you are not away."),
  delegate_id: z.string().max(64).nullable().optional().describe("Who gets questions assigned to you until then."),
});
export type MyChange = z.infer<typeof MyChange>;

/** A secret that works once, from a link. */
export const LinkToken = z.string().min(20).max(200).describe("What follows `#` in the link.");

export const LinkView = z.object({
  kind: z.enum(["setup", "invite", "reset"]).describe("What the link is for."),
  login: z.string().nullable().describe("The login it is for, if known."),
  name: z.string().nullable().describe("Their name, if known."),
  role: Role.nullable().describe("The role they will have."),
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
  method: z
    .enum(["password", "oidc", "passkey", "proxy", "device", "link"])
    .describe("How the person signed in. `link`: with an invitation or a reset link."),
  device: z.string().describe("The browser and system, or the machine."),
  address: z.string().describe("The address it began from."),
  seen_from: z.string().describe("The address it was last used from, to within a minute."),
  current: z.boolean().describe("Whether this call was made with it."),
  created_at: z.iso.datetime().describe("When the person signed in."),
  seen_at: z.iso.datetime().describe("When it was last used, to within a minute."),
  expires_at: z.iso.datetime().describe("When it ends if it is not used before then."),
});
export type AuthSessionView = z.infer<typeof AuthSessionView>;

export const PasskeyView = z.object({
  id: z.string().describe("The passkey."),
  name: z.string().describe("Its name."),
  created_at: z.iso.datetime().describe("When it was added."),
  used_at: z.iso.datetime().nullable().describe("When it was last used to sign in."),
});
export type PasskeyView = z.infer<typeof PasskeyView>;

/** A program without a browser asks a person to let it in from theirs. */
export const DeviceRequest = z.object({
  purpose: z
    .enum(["agent", "terminal"])
    .describe("`agent`: a key for the agents on this machine. `terminal`: to answer from a terminal, for 12 hours."),
  machine: Name(100).describe("The name of the machine, shown to the person who decides."),
  agent: Name(100).optional().describe("With `agent`: the name it asks under."),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export const DeviceStarted = z.object({
  device_code: z.string().describe("Use this to check whether the person has decided. Never show it."),
  user_code: z.string().describe("What the person types: `WXYZ-1234`."),
  url: z.string().describe("Where they type it."),
  interval_s: z.number().int().describe("The minimum number of seconds between checks."),
  expires_at: z.iso.datetime().describe("When the code stops working."),
});

export const UserCode = z.string().trim().toUpperCase().min(8).max(12).describe("The code shown in the terminal.");

export const DeviceView = DeviceRequest.extend({
  address: z.string().describe("Where the request came from."),
  created_at: z.iso.datetime().describe("When it was made."),
});

export const DeviceDecision = z.object({
  user_code: UserCode,
  allow: z.boolean().describe("Whether to let the machine in."),
  space_id: SpaceId.optional().describe("For an agent: the space it asks in."),
});

export const DeviceResult = z.object({
  status: z.enum(["pending", "denied", "allowed"]).describe("What the person has decided so far."),
  secret: z.string().optional().describe("The key or session token, which is shown only this once."),
  kind: z.enum(["agent", "terminal"]).optional().describe("What it is."),
  name: z.string().optional().describe("The owner's or agent's name."),
  expires_at: z.iso.datetime().nullable().optional().describe("When it stops working."),
});
