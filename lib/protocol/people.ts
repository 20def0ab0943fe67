import { z } from "zod";
import { isVisible } from "./characters.ts";

export const Role = z
  .enum(["admin", "member", "viewer"])
  .describe(
    "`admin`: sees and manages everything. `member`: asks and answers in the spaces they can see. `viewer`: can only read.",
  );
export type Role = z.infer<typeof Role>;

export const PersonId = z.string().min(1).max(64).describe("The person.");
/** A name that people read on one line, and must be able to tell from others. */
export const Name = (max: number) =>
  z.string().trim().min(1).max(max).refine(isVisible, "must be on one line, without invisible characters");
export const PersonName = Name(100).describe("The name colleagues and agents see.");
export const Login = z
  .string()
  .trim()
  .toLowerCase()
  .min(2)
  .max(200)
  .regex(/^[^\s<>"',;:\\]+$/, "must have no spaces, quotes or commas")
  .describe("What the person signs in with, usually an email address. Not case-sensitive.");
export const Password = z.string().min(12, "must have at least 12 characters").max(200).describe("The password.");

/** A person with an account, by the name they had when this was recorded. */
export const PersonRef = z.object({ id: PersonId, name: z.string().describe("Their name.") });
export type PersonRef = z.infer<typeof PersonRef>;

/** A person as colleagues see them. */
export const PersonView = z.object({
  id: PersonId,
  name: PersonName,
  login: z.string().describe("What they sign in with."),
  role: Role,
  status: z.enum(["active", "disabled"]).describe("`disabled`: they cannot sign in, and their keys do not work."),
  out_of_office_until: z.iso.datetime().nullable().describe("When they are back; null if they are not away."),
  delegate_id: z.string().nullable().describe("Who gets questions assigned to them until then."),
  active_at: z.iso.datetime().nullable().describe("When they last used Parley, to within a minute."),
  created_at: z.iso.datetime().describe("When they joined."),
});
export type PersonView = z.infer<typeof PersonView>;

export const PersonChange = z.object({
  name: PersonName.optional(),
  role: Role.optional(),
  status: PersonView.shape.status.optional(),
});
export type PersonChange = z.infer<typeof PersonChange>;

export const InvitationView = z.object({
  id: z.string().describe("The invitation."),
  login: z.string().nullable().describe("Who is invited; null if anyone with the link can use it."),
  role: Role,
  invited_by: z.string().describe("The name of the admin."),
  created_at: z.iso.datetime().describe("When it was created."),
  expires_at: z.iso.datetime().describe("When the link stops working."),
});
export type InvitationView = z.infer<typeof InvitationView>;

export const NewInvitation = z.object({
  login: Login.optional().describe("Who is invited; without it, the first person to open the link can use it."),
  role: Role.optional().describe("`member` by default."),
  space_ids: z.array(z.string().max(64)).max(100).optional().describe("The spaces they become a member of."),
});
export type NewInvitation = z.infer<typeof NewInvitation>;
