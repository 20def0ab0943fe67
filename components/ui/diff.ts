type LineKind = "header" | "added" | "removed" | "same";

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const NOTE = /^(?:index [0-9a-f]+\.\.|\\ )/;

/** Whether a text is a patch: it is named so, or has the header of a file or of a hunk. */
export function isDiff(lines: readonly string[], language: string): boolean {
  return /^(?:diff|patch)$/i.test(language) || lines.some((line, at) => HUNK.test(line) || isNames(lines, at));
}

/** What each line of a patch does to the file. Within a hunk, "--- x" removes the line "-- x". */
export function diffKinds(lines: readonly string[]): LineKind[] {
  let left = { before: 0, after: 0 };
  return lines.map((line, at) => {
    const hunk = HUNK.exec(line);
    if (hunk) left = { before: Number(hunk[1] ?? 1), after: Number(hunk[2] ?? 1) };
    if (hunk || line.startsWith("diff ")) return "header";
    const isInHunk = left.before > 0 || left.after > 0;
    if (isInHunk ? line.startsWith("\\ ") : NOTE.test(line) || isNames(lines, at) || isNames(lines, at - 1))
      return "header";
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
    if (kind !== "added") left.before -= 1;
    if (kind !== "removed") left.after -= 1;
    return kind;
  });
}

/** Whether a patch names the file here, before and after, in two lines. */
function isNames(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? "").startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");
}
