"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { Round } from "../../lib/protocol/session.ts";
import { api, readAsk } from "../live/api.ts";
import { recordOf } from "../question/record.ts";
import { SettledRecord } from "../question/settled-record.tsx";
import { Name } from "../question/who.tsx";
import { Moment } from "../ui/clock.tsx";
import { ShowAll } from "../ui/show-all.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

/** More rounds than this are listed only if someone wants them. */
const SHOWN = 5;

type Props = {
  session_id: string;
  /** The round of the question that is open. */
  round: number;
};

/** What was asked and answered before in this conversation, latest first. Each round opens to its options. */
export function EarlierRounds({ session_id, round: current }: Props) {
  const t = useTranslations("history");
  const [rounds, setRounds] = useState<Round[]>([]);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    api.call("readSession", { params: { id: session_id } }).then(
      ({ dialog_history }) => isCurrent && setRounds(dialog_history.filter(({ round }) => round < current).reverse()),
      // The question can be answered without them.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [session_id, current]);
  if (rounds.length === 0) return null;
  return (
    <section aria-labelledby="earlier-rounds">
      <h3 id="earlier-rounds" className="mb-1.5 text-xs font-medium text-subtle">
        {t("earlier", { count: rounds.length })}
      </h3>
      <ol className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {(isWhole ? rounds : rounds.slice(0, SHOWN)).map((round) => (
          <EarlierRound key={round.round} session_id={session_id} round={round} />
        ))}
      </ol>
      {rounds.length > SHOWN && <ShowAll isOpen={isWhole} onToggle={() => setWhole(!isWhole)} className="mt-1 -ml-2" />}
    </section>
  );
}

function EarlierRound({ session_id, round }: { session_id: string; round: Round }) {
  const t = useTranslations("history");
  const [ask, setAsk] = useState<AskView>();
  const read = () =>
    readAsk({ session_id, tool_use_id: round.tool_use_id }).then(setAsk, () => {
      // Opening it again retries.
    });
  return (
    <li>
      <details onToggle={(event) => event.currentTarget.open && !ask && void read()}>
        <summary className="flex list-none items-baseline gap-3 px-4 py-2 text-sm hover:bg-hover pointer-coarse:py-3">
          <span className="shrink-0 text-xs text-subtle tabular-nums">{t("round", { round: round.round })}</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-left text-muted" dir="auto">
              <VisibleText>{round.question}</VisibleText>
            </span>
            <span className="block truncate text-left font-medium" dir="auto">
              {round.answer === null ? (
                <span className="font-normal text-subtle">{t(`status.${round.status}`)}</span>
              ) : (
                <>
                  <span aria-hidden className="font-normal text-subtle">
                    →{" "}
                  </span>
                  <VisibleText>{round.answer}</VisibleText>
                </>
              )}
            </span>
          </span>
          {round.decided_by && round.decided_at && (
            <span className="shrink-0 text-xs text-subtle max-sm:hidden">
              <Name by={round.decided_by} /> · <Moment at={round.decided_at} />
            </span>
          )}
        </summary>
        {ask ? (
          <SettledRecord ask={ask} record={recordOf(ask)} />
        ) : (
          <p role="status" className="border-t border-line px-4 py-3 text-xs text-subtle">
            {t("loading")}
          </p>
        )}
      </details>
    </li>
  );
}
