/** Whether every word of a search occurs in a text, in any order and any case. */
export function hasWords(text: string, search: string): boolean {
  const folded = fold(text);
  return fold(search)
    .split(/\s+/u)
    .every((word) => folded.includes(word));
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Those that were used last come first; the others keep their order. */
export function byRecency<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  recent: readonly string[],
): Item[] {
  const place = (item: Item) => {
    const index = recent.indexOf(idOf(item));
    return index < 0 ? recent.length : index;
  };
  return [...items].sort((one, other) => place(one) - place(other));
}
