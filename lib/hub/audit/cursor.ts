export type Cursor<Row> = { peek: () => Promise<Row | undefined>; take: () => void };

/** Rows one by one; the next one can be looked at before it is taken. */
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
