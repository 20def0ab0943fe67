import { Ban, CircleCheck, ClockAlert, MessageCircleReply } from "lucide-react";
import type { Outcome } from "../../lib/protocol/ask.ts";

const ICONS = {
  answered: { Icon: CircleCheck, colour: "text-good" },
  replied: { Icon: MessageCircleReply, colour: "text-info" },
  cancelled: { Icon: Ban, colour: "text-subtle" },
  timeout: { Icon: ClockAlert, colour: "text-warning" },
} as const satisfies Record<Outcome, unknown>;

/** How a question ended. */
export function OutcomeIcon({ outcome, label }: { outcome: Outcome; label?: string }) {
  const { Icon, colour } = ICONS[outcome];
  return (
    <Icon size={14} className={`shrink-0 ${colour}`} {...(label ? { "aria-label": label } : { "aria-hidden": true })} />
  );
}
