import { VisibleText } from "../ui/visible-text.tsx";

/** What the agent calls its question, in a word or two. */
export function HeaderChip({ header, className = "" }: { header: string | null | undefined; className?: string }) {
  if (!header) return null;
  return (
    <span
      className={`w-fit max-w-full truncate rounded border border-line bg-sunken px-1.5 text-xs leading-5 font-medium text-muted ${className}`}
    >
      <VisibleText>{header}</VisibleText>
    </span>
  );
}
