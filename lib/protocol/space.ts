import { z } from "zod";

export const SpaceId = z.string().min(1).max(64).describe("The space.");
export const SpaceName = z.string().trim().min(1).max(60).describe("Its name, unique among spaces.");

/** The space that every conversation is in unless it says otherwise. It always exists, and is open to all. */
export const EVERYONE = "spc_everyone";

/** The conversation that holds the audit events of people, keys and spaces, and the space that it alone is in. */
export const TEAM_RECORD = "parley";
export const TEAM_RECORD_SPACE = "spc_parley";

export const SpaceView = z.object({
  id: SpaceId,
  name: SpaceName,
  open: z.boolean().describe("Whether everybody is a member."),
  requires_second_person: z
    .boolean()
    .describe("Whether the owner of an agent's key may not answer what that agent asks."),
  members: z.array(z.string()).describe("The ids of its members; empty if it is open to all."),
  archived: z.boolean().describe("Archived spaces take no new conversations."),
  created_at: z.iso.datetime().describe("When it was created."),
});
export type SpaceView = z.infer<typeof SpaceView>;

export const NewSpace = z.object({
  name: SpaceName,
  open: z.boolean().optional().describe("Whether everybody is a member; false by default."),
  requires_second_person: SpaceView.shape.requires_second_person.optional(),
  members: z.array(z.string().max(64)).max(1_000).optional().describe("The ids of its members."),
});
export type NewSpace = z.infer<typeof NewSpace>;

export const SpaceChange = NewSpace.partial().extend({ archived: SpaceView.shape.archived.optional() });
export type SpaceChange = z.infer<typeof SpaceChange>;
