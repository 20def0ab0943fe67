import { LatestConversations } from "../components/inbox/latest-conversations.tsx";
import { OpenQuestions } from "../components/inbox/open-questions.tsx";
import { sharedRuntime } from "../lib/hub/runtime.ts";
import type { Call } from "../lib/protocol/actor.ts";

const SHOWN = 50;

/** What waits for an answer, and what was talked about last: read from the hub for each visit. */
export default async function Home() {
  const { hub, version } = sharedRuntime();
  const now = Date.now();
  const call: Call = { actor: { kind: "person", name: "local", surface: "browser", rights: ["read"] }, now };
  const [inbox, { sessions }] = await Promise.all([
    hub.inbox(call, { status: "open", limit: SHOWN }),
    hub.listSessions(call, { limit: 20 }),
  ]);
  return (
    <main className="mx-auto max-w-3xl px-4 py-8 sm:px-6 sm:py-12">
      <header className="mb-10 flex items-baseline justify-between gap-4">
        <h1 className="text-2xl font-semibold tracking-tight">Parley</h1>
        <nav className="flex gap-4 text-sm text-neutral-600 dark:text-neutral-400">
          <a className="underline-offset-4 hover:underline" href="/api/docs">
            API
          </a>
          <span>{version}</span>
        </nav>
      </header>
      <OpenQuestions items={inbox.items} open={inbox.counts.open} now={now} />
      <LatestConversations sessions={sessions} now={now} />
    </main>
  );
}
