import type { ReactNode } from "react";

/** The title of a page without the shell, and one sentence about it. */
export function BareHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-6 text-center">
      <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
      {children && <div className="mt-2 text-sm text-balance text-muted">{children}</div>}
    </header>
  );
}
