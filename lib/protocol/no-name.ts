/** The name in the record for callers who gave none. */
export const NO_NAME = "local";

/** Whether a name in the record stands for a caller who gave none. For display only: no right depends on a name. */
export function isNoName(name: string): boolean {
  return name === NO_NAME;
}
