import { BYTE_ORDER_MARK, csvLine } from "../../domain/views/csv.ts";
import { type InsightsQuery, type InsightTable, InsightTables } from "../../protocol/insights.ts";
import type { Overview } from "../access.ts";
import type { HubContext } from "../context.ts";
import type { Download } from "../conversations/export-inbox.ts";
import { insights } from "./insights.ts";

/** One table of the insights as CSV. */
export async function exportInsights(
  ctx: Pick<HubContext, "db" | "indexing">,
  seen: Overview,
  { table, ...query }: InsightsQuery & { table: InsightTable },
): Promise<Download> {
  const { [table]: rows, to } = await insights(ctx, seen, query);
  const columns = Object.keys(InsightTables[table].element.shape);
  const content = (async function* () {
    yield BYTE_ORDER_MARK + csvLine(columns);
    for (const row of rows) {
      const values: Record<string, string | number | null> = row;
      yield csvLine(columns.map((column) => values[column] ?? null));
    }
  })();
  return { file: `parley-${table.replace("_", "-")}-${to.slice(0, 10)}.csv`, type: "text/csv; charset=utf-8", content };
}
