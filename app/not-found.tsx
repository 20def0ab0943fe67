export default function NotFound() {
  return (
    <main className="mx-auto max-w-3xl px-4 py-16 sm:px-6">
      <h1 className="mb-3 text-2xl font-semibold tracking-tight">There is nothing here</h1>
      <p className="text-neutral-600 dark:text-neutral-400">
        The address may be mistyped. Everything that waits for an answer is under{" "}
        <a className="text-violet-700 underline underline-offset-4 dark:text-violet-400" href="/">
          Open questions
        </a>
        .
      </p>
    </main>
  );
}
