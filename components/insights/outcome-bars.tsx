"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Insights } from "../../lib/protocol/insights.ts";

const COLOURS = { answered: "bg-good", replied: "bg-info", cancelled: "bg-field", timeout: "bg-warning" } as const;

/** How questions ended, as shares of all. */
export function OutcomeBars({ outcomes }: { outcomes: Insights["outcomes"] }) {
  const t = useTranslations("insights.outcomeNames");
  const format = useFormatter();
  const all = outcomes.reduce((sum, { settled }) => sum + settled, 0);
  return (
    <ul className="space-y-3">
      {outcomes.map(({ outcome, settled }) => (
        <li key={outcome}>
          <div className="mb-1 flex justify-between gap-3 text-sm">
            <span>{t(outcome)}</span>
            <span className="text-muted tabular-nums">
              {format.number(settled)}
              <span className="inline-block min-w-12 text-right text-subtle">
                {format.number(settled / all, { style: "percent", maximumFractionDigits: 0 })}
              </span>
            </span>
          </div>
          <div className="h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:border" aria-hidden>
            <div
              className={`h-full rounded-full forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none ${COLOURS[outcome]}`}
              style={{ width: `${(100 * settled) / all}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
