export type PageRange = { first: number; last: number };

/** The fewest pages of at most `size` consecutive numbers that cover all of these. */
export function pagesOf(numbers: readonly number[], size: number): PageRange[] {
  const pages: PageRange[] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const page = pages.at(-1);
    if (page && number < page.first + size) page.last = number;
    else pages.push({ first: number, last: number });
  }
  return pages;
}
