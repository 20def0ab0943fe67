"use client";

import * as Radix from "@radix-ui/react-toast";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "./button.tsx";
import { Kbd } from "./kbd.tsx";
import { hideToast, useToasts } from "./toast-store.ts";

export function Toasts() {
  const t = useTranslations("toasts");
  const shown = useToasts();
  return (
    <Radix.Provider label={t("label")} swipeDirection="down">
      {shown.map(({ id, text, tone = "plain", action, ms = 5_000 }) => (
        <Radix.Root
          key={id}
          duration={ms}
          onOpenChange={(isOpen) => !isOpen && hideToast(id)}
          className="flex min-h-11 animate-appear items-center gap-3 border-t border-line bg-overlay py-1.5 pr-2 pl-4 text-sm"
        >
          {tone === "good" && <CircleCheck size={16} className="shrink-0 text-good" aria-hidden />}
          {tone === "danger" && <CircleAlert size={16} className="shrink-0 text-danger" aria-hidden />}
          <Radix.Description className="min-w-0 flex-1 py-1">{text}</Radix.Description>
          {action && (
            <Radix.Action altText={action.label} asChild>
              <Button size="sm" variant="ghost" className="text-accent" onClick={action.run}>
                {action.label}
                {action.shortcut && <Kbd>{action.shortcut}</Kbd>}
              </Button>
            </Radix.Action>
          )}
        </Radix.Root>
      ))}
      <Radix.Viewport label={t("label")} className="flex flex-col outline-none" />
    </Radix.Provider>
  );
}
