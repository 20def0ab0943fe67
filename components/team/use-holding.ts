"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { ClientError, type Reply } from "../../lib/client.ts";
import type { ErrorReply } from "../../lib/protocol/error-reply.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { showToast } from "../ui/toast-store.ts";

export type Holding = {
  claim: (ids: readonly string[], takeOver?: boolean) => Promise<boolean>;
  release: (ids: readonly string[]) => Promise<boolean>;
  /** `name` is for the message; null removes the assignment. */
  assign: (ids: readonly string[], person: { id: string; name: string } | null) => Promise<boolean>;
};

type Results = Reply<"claim">["results"];
/** The limit of one request. */
const MAX_ITEMS = 100;

/** Claims, releases and assigns questions, and reports the result. Each returns whether everything worked. */
export function useHolding(): Holding {
  const t = useTranslations("holding");
  const run = useCallback(
    async (
      ids: readonly string[],
      call: (inbox_item_ids: string[]) => Promise<{ results: Results }>,
      done: (count: number) => string | undefined,
    ): Promise<boolean> => {
      try {
        const results: Results = [];
        for (let from = 0; from < ids.length; from += MAX_ITEMS)
          results.push(...(await call(ids.slice(from, from + MAX_ITEMS))).results);
        const refused = results.flatMap((result) => (result.success ? [] : [result.error as ErrorReply]));
        const [first] = refused;
        const texts = [
          done(results.length - refused.length),
          first && t("refused", { count: refused.length, reason: reasonOf(first, t) }),
        ];
        const text = texts.filter(Boolean).join(" ");
        if (text) showToast({ text, tone: first ? "danger" : "good" });
        return refused.length === 0;
      } catch (reason) {
        // A dialog on the page already says so.
        if (errorCode(reason) !== "unauthorized") showToast({ text: errorText(reason), tone: "danger" });
        return false;
      }
    },
    [t],
  );
  return {
    claim: (ids, take_over = false) =>
      run(
        ids,
        (inbox_item_ids) => api.call("claim", { body: { inbox_item_ids, ...(take_over && { take_over }) } }),
        // The row and the card say so.
        (count) => (ids.length > 1 && count > 0 ? t("claimed", { count }) : undefined),
      ),
    release: (ids) =>
      run(
        ids,
        (inbox_item_ids) => api.call("release", { body: { inbox_item_ids } }),
        (count) => (ids.length > 1 && count > 0 ? t("released", { count }) : undefined),
      ),
    assign: (ids, person) =>
      run(
        ids,
        (inbox_item_ids) => api.call("assign", { body: { inbox_item_ids, person_id: person?.id ?? null } }),
        (count) =>
          count === 0 ? undefined : person ? t("assigned", { count, name: person.name }) : t("unassigned", { count }),
      ),
  };
}

function reasonOf({ code, message, details }: ErrorReply, t: ReturnType<typeof useTranslations<"holding">>): string {
  return code === "claimed"
    ? t("byOther", { name: details?.claimed_by ?? "" })
    : errorText(new ClientError(code, message, details));
}
