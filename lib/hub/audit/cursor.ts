export type Cursor<Row> = { peek: () => Promise<Row | undefined>; take: () => void };

/** Iterates over rows, with a look at the next one. */
export function cursor<Row>(rows: AsyncIterable<Row> | Iterable<Row>): Cursor<Row> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let next: { row: Row | undefined } | undefined;
  return {
    peek: async () => {
      if (!next) {
        const { done, value } = await iterator.next();
        next = { row: done ? undefined : value };
      }
      return next.row;
    },
    take: () => {
      if (next?.row !== undefined) next = undefined;
    },
  };
}
