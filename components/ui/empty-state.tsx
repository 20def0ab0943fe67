import type { ReactNode } from "react";

/** A place with nothing in it: what that means, and what to do next. */
export function EmptyState({
  icon,
  title,
  role,
  children,
  actions,
}: {
  icon: ReactNode;
  title: string;
  /** `alert` for an error, `status` for a change that the person should hear about. */
  role?: "alert" | "status";
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div role={role} className="mx-auto flex max-w-sm flex-col items-center px-6 py-12 text-center">
      <span className="mb-3 flex size-10 items-center justify-center rounded-full bg-sunken text-muted" aria-hidden>
        {icon}
      </span>
      <h2 className="text-base font-semibold text-balance">{title}</h2>
      {children && <div className="mt-1 text-sm text-balance text-muted">{children}</div>}
      {actions && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
