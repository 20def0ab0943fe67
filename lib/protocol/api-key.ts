import { z } from "zod";
import { Name, PersonId, PersonRef } from "./people.ts";
import { SpaceId } from "./space.ts";

export const KeyKind = z
  .enum(["agent", "personal"])
  .describe(
    "`agent`: for programs that ask. It cannot answer; with `can_report` it can report an answer that a person gave in the agent's own terminal. `personal`: acts as its owner.",
  );
export type KeyKind = z.infer<typeof KeyKind>;

const expires_in_days = z
  .number()
  .int()
  .min(1)
  .max(3_650)
  .nullable()
  .optional()
  .describe(
    "Days until it expires, null for never. By default agent keys never expire, and personal keys after 90 days.",
  );

const can_report = z
  .boolean()
  .describe(
    "Whether it may report what a person decided in the agent's own terminal. Parley did not see that person, so the decision is marked as reported.",
  );
const responsible = z
  .array(PersonId)
  .min(1)
  .max(20)
  .describe(
    "Makes it a key of its space instead of one person's. It works while one of these people can answer there.",
  );

export const NewKey = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("agent"),
    name: Name(100).describe("A name that people recognise, such as the machine it is for."),
    agent: Name(100).describe("The name the agent asks under."),
    space_id: SpaceId.optional().describe("The space it asks in; Everyone by default."),
    can_report: can_report.optional(),
    responsible: responsible.optional(),
    expires_in_days,
  }),
  z.object({
    kind: z.literal("personal"),
    name: Name(100).describe("A name that tells you what the key is for."),
    expires_in_days,
  }),
]);
export type NewKey = z.infer<typeof NewKey>;

export const KeyChange = z
  .object({
    can_report: can_report.optional(),
    owner_id: PersonId.optional().describe("The person it belongs to from now on."),
    responsible: responsible.optional(),
  })
  .refine(({ owner_id, responsible }) => owner_id === undefined || responsible === undefined, {
    message: "give either owner_id or responsible",
    path: ["owner_id"],
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { message: "changes nothing" });
export type KeyChange = z.infer<typeof KeyChange>;

export const KeyView = z.object({
  id: z.string().describe("The key."),
  kind: KeyKind,
  name: z.string().describe("Its name."),
  hint: z.string().describe("The first and last characters, for example `parley_agent_…x7Qz`."),
  agent: z.string().nullable().describe("The name its agent asks under; null for personal keys."),
  space_id: z.string().nullable().describe("The space it asks in; null for personal keys."),
  owner_id: z.string().nullable().describe("The person it belongs to; null if it belongs to its space."),
  owner_name: z.string().nullable().describe("Their name."),
  responsible: z.array(PersonRef).describe("The people responsible for a key that belongs to its space."),
  can_report,
  created_at: z.iso.datetime().describe("When it was created."),
  expires_at: z.iso.datetime().nullable().describe("When it stops working; null if never."),
  used_at: z.iso.datetime().nullable().describe("When it was last used, to within a minute; null if never."),
  revoked_at: z.iso.datetime().nullable().describe("When it was revoked; null if it has not been."),
});
export type KeyView = z.infer<typeof KeyView>;

/** A key that was just created or replaced. Parley stores only a hash of its secret. */
export const KeyWithSecret = z.object({
  key: KeyView.describe("The key without its secret."),
  secret: z.string().describe("The key itself, which is shown only this once."),
});
