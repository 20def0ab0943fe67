import type { SessionSummary } from "../../lib/protocol/session.ts";
import { Ago } from "./ago.tsx";

/** The conversations with the latest activity. */
export function LatestConversations({ sessions, now }: { sessions: SessionSummary[]; now: number }) {
  return (
    <section aria-labelledby="latest-conversations">
      <h2 id="latest-conversations" className="mb-3 text-lg font-medium">
        Latest conversations
      </h2>
      {sessions.length === 0 ? (
        <p className="text-neutral-600 dark:text-neutral-400">There are none yet. The first question makes one.</p>
      ) : (
        <ul className="divide-y divide-neutral-200 dark:divide-neutral-800">
          {sessions.map((session) => (
            <li key={session.session_id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
              <span className="min-w-0 break-words font-medium">{session.title ?? "Untitled"}</span>
              <span className="flex flex-wrap gap-x-3 text-sm text-neutral-600 dark:text-neutral-400">
                <span>{session.agent}</span>
                <span>{session.status === "waiting_input" ? "waits for an answer" : session.status}</span>
                <span>
                  Round {session.current_round} of {session.total_rounds}
                </span>
                <Ago at={session.updated_at} now={now} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
