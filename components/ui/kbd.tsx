/** A key, as printed next to what it does. Hidden on touch screens, where there is none. */
export function Kbd({ children, className = "" }: { children: string; className?: string }) {
  return (
    <kbd
      aria-hidden
      className={`inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border border-line bg-raised px-1 font-sans text-[0.6875rem] leading-none font-medium text-subtle pointer-coarse:hidden ${className}`}
    >
      {children}
    </kbd>
  );
}
