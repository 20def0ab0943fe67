/** The dialog that is open, if any: while it is, nothing else on the page can be reached. */
export function openDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>("[data-dialog][data-state=open]")].at(-1);
}
