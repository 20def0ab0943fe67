import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Ago } from "./ago.tsx";

/** The questions that wait, oldest deadline first. */
export function OpenQuestions({ items, open, now }: { items: InboxItem[]; open: number; now: number }) {
  return (
    <section aria-labelledby="open-questions" className="mb-12">
      <h2 id="open-questions" className="mb-3 text-lg font-medium">
        Open questions <span className="text-neutral-500 dark:text-neutral-400">{open}</span>
      </h2>
      {items.length === 0 ? (
        <p className="rounded-lg border border-dashed border-neutral-300 p-6 text-neutral-600 dark:border-neutral-700 dark:text-neutral-400">
          Nothing waits for an answer. When an agent asks, the question appears here.
        </p>
      ) : (
        <ul className="divide-y divide-neutral-200 rounded-lg border border-l-4 border-neutral-200 border-l-violet-600 dark:divide-neutral-800 dark:border-neutral-800 dark:border-l-violet-500">
          {items.map((item) => (
            <li key={item.inbox_item_id} className="px-4 py-3">
              <p className="break-words font-medium">{item.question}</p>
              <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-neutral-600 dark:text-neutral-400">
                <span>{item.agent}</span>
                <span>Round {item.round}</span>
                <span>
                  asked <Ago at={item.created_at} now={now} />
                </span>
                {item.deadline_at && (
                  <span className="text-amber-700 dark:text-amber-400">
                    until <time dateTime={item.deadline_at}>{item.deadline_at.slice(0, 16).replace("T", " ")} UTC</time>
                  </span>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      {open > items.length && (
        <p className="mt-2 text-sm text-neutral-600 dark:text-neutral-400">and {open - items.length} more</p>
      )}
    </section>
  );
}
