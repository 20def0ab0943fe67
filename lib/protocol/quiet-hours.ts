import { z } from "zod";

const Time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, as in 22:00")
  .describe("A time of day in the person's time zone: `22:00`.");

/** When a person does not want to be notified, in their time zone. */
export const QuietHours = z
  .object({
    from: Time.describe("When they start."),
    to: Time.describe("When they end; on the next day if this is earlier than `from`."),
    days: z
      .array(z.number().int().min(1).max(7))
      .max(7)
      .optional()
      .describe("The days on which they start: 1 is Monday, 7 is Sunday. Every day by default."),
  })
  .refine(({ from, to }) => from !== to, "must not begin and end at the same time");
export type QuietHours = z.infer<typeof QuietHours>;
