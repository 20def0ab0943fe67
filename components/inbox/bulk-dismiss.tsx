"use client";

import { useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { DismissDialog } from "../question/dismiss-dialog.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

type Props = {
  items: readonly InboxItem[];
  onClose: () => void;
  onDismiss: (items: readonly InboxItem[], reason: string) => Promise<void>;
};

/** Dismisses several questions for one reason, after showing which. It cannot be undone, so it asks first. */
export function BulkDismiss({ items, onClose, onDismiss }: Props) {
  const [isBusy, setBusy] = useState(false);
  return (
    <DismissDialog
      count={items.length}
      isTooLate={items.length === 0}
      isBusy={isBusy}
      onClose={onClose}
      onDismiss={(reason) => {
        setBusy(true);
        void onDismiss(items, reason);
      }}
    >
      <ul className="max-h-52 divide-y divide-line overflow-y-auto rounded-md border border-line text-sm">
        {items.map((item) => (
          <li key={item.inbox_item_id} className="truncate px-3 py-2" dir="auto">
            <VisibleText>{item.question}</VisibleText>{" "}
            <span className="text-subtle">
              <VisibleText>{item.title ?? item.agent}</VisibleText>
            </span>
          </li>
        ))}
      </ul>
    </DismissDialog>
  );
}
