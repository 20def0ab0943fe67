"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { holderOf, isClaimedByOther } from "../team/holder.ts";
import { useMe } from "../team/me.tsx";
import { useHolding } from "../team/use-holding.ts";
import { retrying } from "../ui/retrying.ts";

const PersonPicker = dynamic(retrying(async () => (await import("../team/person-picker.tsx")).PersonPicker));

type Items = readonly InboxItem[];

/**
 * Claims, releases and assigns questions of the inbox. `chosen` is what the keys are about: the selected rows, otherwise the
 * question that is shown. `onDone` clears the selection.
 */
export function useInboxHolding(chosen: () => Items, onDone: () => void) {
  const me = useMe().person?.id;
  const holding = useHolding();
  const [assigning, setAssigning] = useState<Items>();
  const isMine = (item: InboxItem) => {
    const holder = holderOf(item, Date.now());
    return holder?.how === "claimed" && holder.by.id === me;
  };
  const claim = async (items: Items) => {
    const [only] = items;
    // Claims of other people can be taken over only one at a time, because that must be deliberate.
    const takesOver = items.length === 1 && only !== undefined && isClaimedByOther(only, me, Date.now());
    if (await holding.claim(idsOf(items), takesOver)) onDone();
  };
  const release = async (items: Items) => {
    if (await holding.release(idsOf(items))) onDone();
  };
  return {
    claim,
    release,
    assign: setAssigning,
    claimOrReleaseChosen: () => {
      const items = chosen();
      if (items.length > 0) void (items.every(isMine) ? release(items) : claim(items));
    },
    assignChosen: () => {
      const items = chosen();
      if (items.length > 0) setAssigning(items);
    },
    picker: assigning && (
      <PersonPicker
        count={assigning.length}
        onClose={() => setAssigning(undefined)}
        onPick={async (person) => {
          setAssigning(undefined);
          if (await holding.assign(idsOf(assigning), person)) onDone();
        }}
      />
    ),
  };
}

function idsOf(items: Items): string[] {
  return items.map(({ inbox_item_id }) => inbox_item_id);
}
