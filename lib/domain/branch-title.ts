const MAX = 200;

/** The title of a branch: that of its origin, marked, so that the two can be told apart in a list. */
export function branchTitle(title: string | null, round: number): string | null {
  if (title === null) return null;
  const mark = ` (branch at round ${round})`;
  const origin = title.replace(/ \(branch at round \d+\)$/, "");
  const letters = [...origin];
  const isLong = letters.length + mark.length > MAX;
  return (isLong ? `${letters.slice(0, MAX - mark.length - 1).join("")}…` : origin) + mark;
}
