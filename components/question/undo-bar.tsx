"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { titleId } from "./card-frame.tsx";
import type { HeldState } from "./held-answers.ts";
import { heldAnswers } from "./hold.ts";
import { SendsIn } from "./sends-in.tsx";

/** In place of the submit bar while the answer is held back for a moment. */
export function UndoBar({ ask, held }: { ask: AskView; held: HeldState }) {
  const t = useTranslations("undo");
  const undo = () => {
    heldAnswers().undo(ask.inbox_item_id);
    // The button is about to disappear.
    document.getElementById(titleId(ask))?.focus();
  };
  return (
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex items-center gap-3 rounded-br-lg border-t border-line bg-page px-4 py-2">
      {/* Away from where Submit was: the second click of a double click takes nothing back. */}
      {held.state === "waiting" && (
        <Button size="sm" onClick={undo}>
          {t("undo")} <Kbd>U</Kbd>
        </Button>
      )}
      <p className="text-sm text-muted">
        <SendsIn held={held} />
      </p>
    </footer>
  );
}
