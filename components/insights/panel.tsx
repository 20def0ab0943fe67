"use client";

import { ChartSpline, Download, Table } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import type { InsightTable } from "../../lib/protocol/insights.ts";
import { download } from "../live/download.ts";
import { Button, buttonClass } from "../ui/button.tsx";

type Props = {
  title: string;
  /** One sentence that says how to read it. */
  about?: string;
  table: ReactNode;
  /** Shown instead of the table until the person asks for the table. */
  plot?: ReactNode;
  /** Which table the CSV file has. */
  name: InsightTable;
  query: string;
};

/** One part of the insights: a plot with its table behind it, or a table alone, and the same as CSV. */
export function Panel({ title, about, table, plot, name, query }: Props) {
  const t = useTranslations("insights");
  const [isTable, setTable] = useState(plot === undefined);
  const id = useId();
  return (
    <article aria-labelledby={id} className="min-w-0 border-t border-line pt-4">
      <header className="mb-3 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id={id} className="text-sm font-semibold">
            {title}
          </h2>
          {about && <p className="text-xs text-subtle">{about}</p>}
        </div>
        <div className="flex shrink-0 gap-1">
          {plot && (
            <Button size="sm" variant="ghost" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              {isTable ? <ChartSpline size={14} aria-hidden /> : <Table size={14} aria-hidden />}
              {isTable ? t("showPlot") : t("showTable")}
            </Button>
          )}
          <a
            className={buttonClass({ size: "sm", variant: "ghost" })}
            href={`/api/insights/export?table=${name}&${query}`}
            aria-label={t("download", { title })}
            onClick={download}
          >
            <Download size={14} aria-hidden />
            CSV
          </a>
        </div>
      </header>
      {isTable ? table : plot}
    </article>
  );
}
