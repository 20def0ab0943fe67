/** Bare group commit: rows that arrive during a commit join the next one. */
export function groupCommit<Row>(commit: (rows: Row[]) => void | Promise<void>): (row: Row, done: () => void) => void {
  let rows: Row[] = [];
  let waiting: Array<() => void> = [];
  let flushing = false;

  const flush = async () => {
    while (rows.length > 0) {
      const [batch, callers] = [rows, waiting];
      rows = [];
      waiting = [];
      const committed = commit(batch);
      if (committed) await committed;
      for (const done of callers) done();
    }
    flushing = false;
  };

  return (row, done) => {
    rows.push(row);
    waiting.push(done);
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  };
}
