"use client";

/** Shown where the page could not be read, usually because the database is out of reach for a moment. */
export default function Failed({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="mx-auto max-w-3xl px-4 py-16 sm:px-6">
      <h1 className="mb-3 text-2xl font-semibold tracking-tight">The page could not be read</h1>
      <p className="mb-6 text-neutral-600 dark:text-neutral-400">
        Nothing is lost: questions and answers are kept. The cause is in the log of the server.
      </p>
      <button
        className="rounded-md bg-violet-700 px-4 py-2 font-medium text-white hover:bg-violet-800"
        type="button"
        onClick={reset}
      >
        Try again
      </button>
    </main>
  );
}
