"use client";

import { useTranslations } from "next-intl";
import { useIsTeam } from "../team/me.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { usePrintedKeys } from "../ui/printed-keys.ts";

const GROUPS = [
  {
    name: "everywhere",
    shortcuts: [
      ["Ctrl K", "palette"],
      ["g i", "inbox"],
      ["g t", "conversations"],
      ["g a", "insights"],
      ["g c", "connect"],
      ["g n", "notifications"],
      ["/", "search"],
      ["?", "help"],
    ],
    team: [
      ["g p", "people"],
      ["g s", "spaces"],
      ["g k", "keys"],
      ["g m", "me"],
    ],
  },
  {
    name: "list",
    shortcuts: [
      ["j k", "move"],
      ["o ⏎", "open"],
      ["x", "select"],
      ["Shift j k", "extend"],
      ["b", "bulk"],
      ["e", "thread"],
      ["h", "snooze"],
      [".", "fresh"],
      ["[ ]", "tabs"],
      ["Esc", "unselect"],
    ],
    team: [
      ["c", "claim"],
      ["a", "assign"],
    ],
  },
  {
    name: "card",
    shortcuts: [
      ["1–9", "choose"],
      ["j k", "step"],
      ["y n", "yesNo"],
      ["n", "note"],
      ["r", "reply"],
      ["Ctrl ⏎", "submit"],
      ["Esc", "leave"],
      ["u z", "undo"],
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
  const printed = usePrintedKeys();
  const isTeam = useIsTeam();
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="grid gap-6 sm:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group.name}>
            <h3 className="mb-2 text-xs font-medium text-subtle">{t(`groups.${group.name}`)}</h3>
            <dl className="space-y-1.5 text-sm">
              {[...group.shortcuts, ...(isTeam && "team" in group ? group.team : [])].map(([keys, name]) => (
                <div key={name} data-shortcut={name} className="flex items-center justify-between gap-4">
                  <dt>{t(`keys.${name}`)}</dt>
                  <dd className="flex shrink-0 gap-1">
                    <span className="sr-only">{printed(keys)}</span>
                    {printed(keys)
                      .split(" ")
                      .map((key) => (
                        <Kbd key={key} className="pointer-coarse:inline-flex">
                          {key}
                        </Kbd>
                      ))}
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
