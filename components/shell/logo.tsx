/** The same mark as the favicon. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="size-5 shrink-0" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 10.5A2.5 2.5 0 0 1 11.5 8h9a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5H15l-4 4v-4a2 2 0 0 1-2-2z"
        className="fill-on-accent"
      />
    </svg>
  );
}
