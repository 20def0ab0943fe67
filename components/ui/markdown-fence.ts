const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** The fence of a line that opens a code block, if it does. */
export function fenceOpenedBy(line: string): string | undefined {
  const [, backticks, tildes] = FENCE.exec(line) ?? [];
  return backticks ?? tildes;
}

export function isFenceClosedBy(fence: string, line: string): boolean {
  const mark = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
}
