import type { z } from "zod";
import type { Row } from "./tables.ts";

/** The JSON in a column, as far as a check needs it. */
export function storedJson<Schema extends z.ZodType>(
  schema: Schema,
  column: Row[string] | undefined,
): z.output<Schema> {
  return schema.parse(JSON.parse(String(column)));
}
