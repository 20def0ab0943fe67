import type { Hub } from "../hub/hub.ts";
import type { Feed } from "./feed.ts";
import type { InboxFeed } from "./inbox-feed.ts";

/**
 * Finds changes of other nodes whose notification was lost, by comparing what is watched here with the rows. Returns a
 * function that compares now, and again if it is called meanwhile.
 */
export function createCatchUp(hub: Hub, feed: Feed, inbox: InboxFeed): () => Promise<void> {
  /** The newest audit event of each conversation at the last comparison. */
  let lastAudit = new Map<string, number>();
  let running: Promise<void> | undefined;
  let again = false;

  const compare = async () => {
    const heads = await hub.heads(feed.watchedConversations());
    for (const { id, last_sequence, last_audit } of heads) {
      // Every change is audited, even one without a message.
      if (lastAudit.get(id) !== last_audit) feed.onRemoteChange(id, last_sequence);
    }
    lastAudit = new Map(heads.map(({ id, last_audit }) => [id, last_audit]));
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
