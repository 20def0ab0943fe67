import type { AskView } from "../../lib/protocol/ask.ts";

export type CardProps = {
  ask: AskView;
  /** What Parley said the ask is now, after this person did something. */
  onChange: (ask: AskView) => void;
  /** This person's answer went through. */
  onAnswered?: () => void;
  /** Where the ask stands alone, it says to which conversation it belongs. */
  conversationLink?: boolean;
  /** Lets a person go on from this round in a new conversation. */
  onContinue?: () => void;
};
