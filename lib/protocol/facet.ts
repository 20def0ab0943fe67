import { z } from "zod";

/** Values that a list can be filtered by. */
export const Facet = z.array(
  z.object({
    value: z.string().describe("What to filter by."),
    count: z.number().int().describe("How many entries have it."),
  }),
);
export type Facet = z.infer<typeof Facet>;

/** How many entries the filters of a list match. */
export const Matching = {
  matching: z.number().int().nullable().describe("How many the filters match; null except on the first page."),
  at_least: z.boolean().describe("true if more than `matching` match, because counting stops at 10,000."),
};
