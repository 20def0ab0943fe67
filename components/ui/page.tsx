import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";

/** A settings or list page: its title, its purpose and its actions. */
export function Page({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto max-w-4xl px-4 pt-6 pb-16 sm:px-6">
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 max-w-2xl">
          <h1 className="text-lg font-semibold">{title}</h1>
          {about && <p className="mt-1 text-sm text-pretty text-muted">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page under its own heading. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8 first:mt-0">
      <header className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 max-w-2xl">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {about && <p className="mt-0.5 text-sm text-pretty text-muted">{about}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** A list in a frame, a row for each thing. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-page">
      {children}
    </ul>
  );
}

/** In place of a list that has nothing in it. */
export function NoRows({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <p className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line px-4 py-6 text-center text-sm text-balance text-muted">
      {icon}
      {children}
    </p>
  );
}

/** Below a list: shows the rows of it that are over, such as revoked keys, or folds them away again. */
export function OldRows({
  isShown,
  onShow,
  children,
}: {
  isShown: boolean;
  onShow: (isShown: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Button size="sm" variant="ghost" className="mt-2" aria-expanded={isShown} onClick={() => onShow(!isShown)}>
      {children}
    </Button>
  );
}

/** A row: its title, facts below it, and actions at its end. */
export function Row({
  icon,
  title,
  facts,
  isQuiet = false,
  children,
}: {
  icon?: ReactNode;
  title: ReactNode;
  facts?: ReactNode;
  /** It no longer works. */
  isQuiet?: boolean;
  children?: ReactNode;
}) {
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      {icon && <span className="flex shrink-0 text-muted">{icon}</span>}
      <div className="min-w-0 flex-1 basis-44">
        <div
          className={`flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium ${isQuiet ? "text-muted" : ""}`}
        >
          {title}
        </div>
        {facts && <div className="text-xs text-subtle">{facts}</div>}
      </div>
      {children && <div className="flex shrink-0 items-center gap-1">{children}</div>}
    </li>
  );
}
