import type { ReactNode } from "react";

export type Column<Row> = { name: string; isText?: boolean; show: (row: Row) => ReactNode };

/** Figures in rows. It scrolls inside itself where it is too wide. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string;
  columns: ReadonlyArray<Column<Row>>;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) {
  return (
    <section aria-label={caption} tabIndex={0} className="relative max-h-96 overflow-auto rounded-md">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-xs text-subtle">
            {columns.map(({ name, isText }, index) => (
              <th
                key={name}
                scope="col"
                className={`sticky top-0 bg-page px-2 py-1.5 font-medium whitespace-nowrap ${isText ? "text-left" : "text-right"} ${index === 0 ? "pl-0" : ""}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-t border-line">
              {columns.map(({ name, isText, show }, index) => (
                <td
                  key={name}
                  className={`px-2 py-1.5 ${isText ? "min-w-32 text-left" : "text-right whitespace-nowrap tabular-nums"} ${index === 0 ? "pl-0" : ""}`}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
