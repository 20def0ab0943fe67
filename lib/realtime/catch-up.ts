import type { Hub } from "../hub/hub.ts";
import type { Feed } from "./feed.ts";
import type { InboxFeed } from "./inbox-feed.ts";

/**
 * Finds what other nodes did and this one was never told, by comparing what is watched here with the rows: a
 * notification may be lost, a message may not. Returns a function that compares now, and once more if it is called
 * meanwhile.
 */
export function createCatchUp(hub: Hub, feed: Feed, inbox: InboxFeed): () => Promise<void> {
  let known = new Map<string, number>();
  let running: Promise<void> | undefined;
  let again = false;

  const compare = async () => {
    const heads = await hub.heads(feed.watched());
    for (const { id, last_sequence, last_audit } of heads) {
      // Every change is audited, also one without a message.
      if (known.get(id) !== last_audit) feed.hear(id, last_sequence);
    }
    known = new Map(heads.map(({ id, last_audit }) => [id, last_audit]));
    if (inbox.isWatched()) inbox.compare(await hub.openItems());
  };
  const run = async () => {
    do {
      again = false;
      await compare();
    } while (again);
  };
  return () => {
    again = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
