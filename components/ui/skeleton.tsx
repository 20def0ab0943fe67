/** Rows in place of a list that is loading. They have the height of its rows, so that nothing moves afterwards. */
export function SkeletonRows({ rows, className = "h-14" }: { rows: number; className?: string }) {
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className={`flex flex-col justify-center gap-2 px-4 ${className}`}>
          <span className="h-3 w-3/4 rounded-sm bg-sunken" />
          <span className="h-2.5 w-1/3 rounded-sm bg-sunken" />
        </div>
      ))}
    </div>
  );
}
