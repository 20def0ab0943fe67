import { z } from "zod";
import { Name } from "./people.ts";

export const SpaceId = z.string().min(1).max(64).describe("The space.");
export const SpaceName = Name(60).describe("Its name, unique among spaces.");

/** The default space of every conversation. It always exists and is open to everyone. */
export const EVERYONE = "spc_everyone";

/** The conversation with the audit events of people, keys and spaces, and its separate space. */
export const TEAM_RECORD = "parley";
export const TEAM_RECORD_SPACE = "spc_parley";

const Seconds = z.number().int().min(0).max(2_592_000);

/** The people a step notifies: by their role in the question, as a group, or one person by id. */
export const StepTarget = z
  .union([
    z.enum(["assignee_or_members", "assignee", "members", "admins", "channels"]),
    z.string().regex(/^per_\w{1,60}$/, "must be one of the groups, or the id of a person"),
  ])
  .describe(
    "`assignee_or_members`: the assignee, or the members if there is none. `channels`: the space's channels. Or a person's id.",
  );
export type StepTarget = z.infer<typeof StepTarget>;

export const Step = z
  .object({
    after_s: Seconds.optional().describe("Seconds after the question was asked or reopened, or its claim ended."),
    before_deadline_s: Seconds.min(1)
      .optional()
      .describe("Instead: seconds before its deadline, as a last call. Skipped for questions without one."),
    notify: z.array(StepTarget).min(1).max(20).describe("Who is notified."),
    repeats: z
      .number()
      .int()
      .min(0)
      .max(3)
      .optional()
      .describe("How many times the step is repeated; none by default."),
    every_s: Seconds.min(60).optional().describe("Seconds between repeats; 900 by default."),
  })
  .refine((step) => (step.after_s === undefined) !== (step.before_deadline_s === undefined), {
    message: "needs either after_s or before_deadline_s",
  });
export type Step = z.infer<typeof Step>;

/** The steps of every space whose admins have not set any. */
export const DEFAULT_STEPS: Step[] = [
  { after_s: 0, notify: ["assignee_or_members", "channels"] },
  { after_s: 900, notify: ["members"] },
  { after_s: 3_600, notify: ["admins", "channels"] },
];

export const Wish = z
  .enum(["all", "assigned", "none"])
  .describe("Which questions in a space you are notified about: all, only those assigned to you, or none.");
export type Wish = z.infer<typeof Wish>;

export const SpaceView = z.object({
  id: SpaceId,
  name: SpaceName,
  open: z.boolean().describe("Whether everyone is a member."),
  requires_second_person: z
    .boolean()
    .describe("Whether someone other than the agent key's owner must answer its questions."),
  members: z.array(z.string()).describe("The ids of its members; empty if it is open to all."),
  steps: z.array(Step).describe("Who is notified about an open question, and when."),
  detail: z
    .enum(["full", "short"])
    .describe(
      "`short` keeps question text out of email, Slack, ntfy and push: they say only that a question is waiting.",
    ),
  archived: z.boolean().describe("Archived spaces accept no new conversations."),
  created_at: z.iso.datetime().describe("When it was created."),
});
export type SpaceView = z.infer<typeof SpaceView>;

export const NewSpace = z.object({
  name: SpaceName,
  open: z.boolean().optional().describe("Whether everyone is a member; false by default."),
  requires_second_person: SpaceView.shape.requires_second_person.optional(),
  members: z.array(z.string().max(64)).max(1_000).optional().describe("The ids of its members."),
  steps: z.array(Step).min(1).max(10).nullable().optional().describe("The steps; null or absent for the default."),
  detail: SpaceView.shape.detail.optional(),
});
export type NewSpace = z.infer<typeof NewSpace>;

export const SpaceChange = NewSpace.partial().extend({ archived: SpaceView.shape.archived.optional() });
export type SpaceChange = z.infer<typeof SpaceChange>;

export const StrongSignIn = z
  .enum(["off", "admins", "everyone"])
  .describe(
    "Who must sign in with a passkey or the identity provider. Until they do, their sessions can only add a passkey.",
  );
export type StrongSignIn = z.infer<typeof StrongSignIn>;

/** What an admin decides for the whole team. */
export const TeamSettings = z.object({
  built_in_agents: z
    .boolean()
    .describe(
      "Whether the agents that work on Parley's own machine, such as `claude`, may be started. Off until an admin turns it on; CLAUDE_ALLOWED_ROLES says who may start them then.",
    ),
  strong_sign_in: StrongSignIn,
});
export type TeamSettings = z.infer<typeof TeamSettings>;
export const TeamChange = TeamSettings.partial();
export type TeamChange = z.infer<typeof TeamChange>;
