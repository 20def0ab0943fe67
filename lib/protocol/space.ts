import { z } from "zod";

export const SpaceId = z.string().min(1).max(64).describe("The space.");
export const SpaceName = z.string().trim().min(1).max(60).describe("Its name, unique among spaces.");

/** The space that every conversation is in unless it says otherwise. It always exists, and is open to all. */
export const EVERYONE = "spc_everyone";

/** The conversation that holds the audit events of people, keys and spaces, and the space that it alone is in. */
export const TEAM_RECORD = "parley";
export const TEAM_RECORD_SPACE = "spc_parley";

const Seconds = z.number().int().min(0).max(2_592_000);

/** Whom a step notifies: a role in the question, everybody of a kind, or one person by id. */
export const StepTarget = z
  .union([
    z.enum(["assignee_or_members", "assignee", "members", "admins", "channels"]),
    z.string().regex(/^per_\w{1,60}$/, "must be one of the groups, or the id of a person"),
  ])
  .describe(
    "`assignee_or_members`: who it is assigned to, or the members if that is nobody. `channels`: the channels of the space. Or the id of a person.",
  );
export type StepTarget = z.infer<typeof StepTarget>;

export const Step = z
  .object({
    after_s: Seconds.optional().describe("Seconds after the question was asked, or reopened, or its claim lapsed."),
    before_deadline_s: Seconds.min(1)
      .optional()
      .describe("Instead: seconds before its deadline, as a last call. Skipped for questions without one."),
    notify: z.array(StepTarget).min(1).max(20).describe("Who is notified."),
    repeats: z.number().int().min(0).max(3).optional().describe("How often the step is repeated; never by default."),
    every_s: Seconds.min(60).optional().describe("Seconds between repeats; 900 by default."),
  })
  .refine((step) => (step.after_s === undefined) !== (step.before_deadline_s === undefined), {
    message: "needs either after_s or before_deadline_s",
  });
export type Step = z.infer<typeof Step>;

/** What every space does unless its admins decide otherwise. */
export const DEFAULT_STEPS: Step[] = [
  { after_s: 0, notify: ["assignee_or_members", "channels"] },
  { after_s: 900, notify: ["members"] },
  { after_s: 3_600, notify: ["admins", "channels"] },
];

export const Wish = z
  .enum(["all", "assigned", "none"])
  .describe("What you want to hear of a space: everything, only what is assigned to you, or nothing.");
export type Wish = z.infer<typeof Wish>;

export const SpaceView = z.object({
  id: SpaceId,
  name: SpaceName,
  open: z.boolean().describe("Whether everybody is a member."),
  requires_second_person: z
    .boolean()
    .describe("Whether the owner of an agent's key may not answer what that agent asks."),
  members: z.array(z.string()).describe("The ids of its members; empty if it is open to all."),
  steps: z.array(Step).describe("Who is notified of a question, and when, for as long as nobody answers it."),
  detail: z
    .enum(["full", "short"])
    .describe("`short` keeps the text of questions out of email, Slack, ntfy and push: they say only that one waits."),
  archived: z.boolean().describe("Archived spaces take no new conversations."),
  created_at: z.iso.datetime().describe("When it was created."),
});
export type SpaceView = z.infer<typeof SpaceView>;

export const NewSpace = z.object({
  name: SpaceName,
  open: z.boolean().optional().describe("Whether everybody is a member; false by default."),
  requires_second_person: SpaceView.shape.requires_second_person.optional(),
  members: z.array(z.string().max(64)).max(1_000).optional().describe("The ids of its members."),
  steps: z.array(Step).min(1).max(10).nullable().optional().describe("The steps; null or absent for the default."),
  detail: SpaceView.shape.detail.optional(),
});
export type NewSpace = z.infer<typeof NewSpace>;

export const SpaceChange = NewSpace.partial().extend({ archived: SpaceView.shape.archived.optional() });
export type SpaceChange = z.infer<typeof SpaceChange>;
