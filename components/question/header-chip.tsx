import { VisibleText } from "../ui/visible-text.tsx";

/** The short header that the agent gave its question. */
export function HeaderChip({ header, className = "" }: { header: string | null | undefined; className?: string }) {
  if (!header) return null;
  return (
    <span
      className={`w-fit max-w-full truncate rounded-sm bg-sunken px-1.5 text-xs leading-5 font-medium text-muted ${className}`}
    >
      <VisibleText>{header}</VisibleText>
    </span>
  );
}
