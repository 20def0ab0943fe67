"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "../ui/dialog.tsx";

const GROUPS = [
  {
    name: "everywhere",
    shortcuts: [
      ["g i", "inbox"],
      ["g t", "conversations"],
      ["g c", "connect"],
      ["/", "search"],
      ["?", "help"],
    ],
  },
  {
    name: "list",
    shortcuts: [
      ["j k", "move"],
      ["o ⏎", "open"],
      ["x", "select"],
      ["b", "bulk"],
      [".", "fresh"],
    ],
  },
  {
    name: "card",
    shortcuts: [
      ["1–9", "choose"],
      ["j k", "step"],
      ["n", "note"],
      ["Ctrl ⏎", "submit"],
      ["Esc", "leave"],
    ],
  },
  {
    name: "thread",
    shortcuts: [
      ["q", "question"],
      ["h", "history"],
      ["End", "bottom"],
      ["Home", "top"],
    ],
  },
] as const;

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("shortcuts");
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="grid gap-6 text-sm sm:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group.name}>
            <h3 className="mb-2 font-semibold">{t(`groups.${group.name}`)}</h3>
            <dl className="space-y-1.5">
              {group.shortcuts.map(([keys, name]) => (
                <div key={name} className="flex justify-between gap-4">
                  <dt className="text-muted">{t(`keys.${name}`)}</dt>
                  <dd>
                    <kbd className="rounded border border-line bg-sunken px-1.5 font-mono text-xs">{keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
