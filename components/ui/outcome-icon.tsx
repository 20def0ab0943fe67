import { Ban, CircleCheck, ClockAlert, MessageCircleReply } from "lucide-react";
import type { Outcome } from "../../lib/protocol/ask.ts";

const ICONS = {
  answered: { Icon: CircleCheck, colour: "text-good" },
  replied: { Icon: MessageCircleReply, colour: "text-info" },
  cancelled: { Icon: Ban, colour: "text-subtle" },
  timeout: { Icon: ClockAlert, colour: "text-warning" },
} as const satisfies Record<Outcome, unknown>;

/** How a question ended. */
export function OutcomeIcon({ outcome, label, size = 14 }: { outcome: Outcome; label?: string; size?: number }) {
  const { Icon, colour } = ICONS[outcome];
  return (
    <Icon
      size={size}
      className={`shrink-0 ${colour}`}
      {...(label ? { "aria-label": label } : { "aria-hidden": true })}
    />
  );
}
