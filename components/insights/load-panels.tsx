"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Insights } from "../../lib/protocol/insights.ts";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { Avatar } from "../ui/avatar.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { DataTable } from "./data-table.tsx";
import { Panel } from "./panel.tsx";
import { useTimeColumns } from "./time-columns.ts";

/** Who asks, who answers, and what is asked most often. */
export function LoadPanels({ insights, query }: { insights: Insights; query: string }) {
  const t = useTranslations("insights");
  const who = useTranslations("who");
  const format = useFormatter();
  const times = useTimeColumns();
  const { by_agent, by_person, questions } = insights;
  return (
    <>
      <Panel
        title={t("byAgent")}
        name="by_agent"
        query={query}
        table={
          <DataTable
            caption={t("byAgent")}
            rows={by_agent}
            keyOf={(row) => row.agent}
            columns={[
              {
                name: t("agent"),
                isText: true,
                show: (row) => <Named name={row.agent} kind="agent" />,
              },
              ...times,
              { name: t("openShort"), show: (row) => format.number(row.open) },
            ]}
          />
        }
      />
      <Panel
        title={t("byPerson")}
        name="by_person"
        query={query}
        table={
          <DataTable
            caption={t("byPerson")}
            rows={by_person}
            keyOf={(row) => row.person}
            columns={[
              {
                name: t("person"),
                isText: true,
                show: ({ person }) => <Named name={isNoName(person) ? who("local") : person} kind="person" />,
              },
              ...times,
            ]}
          />
        }
      />
      {questions.length > 0 && (
        <div className="min-w-0 lg:col-span-2">
          <Panel
            title={t("questions")}
            about={t("questionsAbout")}
            name="questions"
            query={query}
            table={
              <DataTable
                caption={t("questions")}
                rows={questions}
                keyOf={(row) => row.similar_key + row.agent}
                columns={[
                  {
                    name: t("question"),
                    isText: true,
                    show: ({ question }) => (
                      <span dir="auto" className="line-clamp-2">
                        <VisibleText>{question}</VisibleText>
                      </span>
                    ),
                  },
                  { name: t("agent"), isText: true, show: (row) => <Named name={row.agent} kind="agent" /> },
                  ...times,
                ]}
              />
            }
          />
        </div>
      )}
    </>
  );
}

function Named({ name, kind }: { name: string; kind: "agent" | "person" }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar name={name} kind={kind} />
      <span dir="auto" className="min-w-0 truncate">
        <VisibleText>{name}</VisibleText>
      </span>
    </span>
  );
}
