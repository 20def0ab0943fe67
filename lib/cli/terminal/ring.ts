import { stripControls } from "../../domain/clean-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { cut, oneLine } from "./columns.ts";

const BELL = "\u0007";
const OSC = "\u001b]";
const END = "\u001b\\";
const LONGEST = 160;

/** They have no notifications, and some would print the sequence. */
const PLAIN = /^(dumb|linux|vt\d*)?$/;

/**
 * What makes a terminal ring, and show a notification if it can. OSC 777 is for those that know no OSC 9; one that knows both
 * would show two.
 */
export function ring({ agent, title, question }: InboxItem, env: Record<string, string | undefined>): string {
  const term = env.TERM ?? "";
  if (PLAIN.test(term)) return BELL;
  const head = `${clean(agent)} has a question`;
  const about = clean(question || title || "");
  if (env.VTE_VERSION || /^(rxvt|foot)/.test(term))
    // A semicolon would begin the next field.
    return `${BELL}${OSC}777;notify;${head.replaceAll(";", ",")};${about.replaceAll(";", ",")}${END}`;
  // Some terminals run commands whose number comes first, so the text never begins with what an agent wrote.
  return `${BELL}${OSC}9;Parley: ${head}: ${about}${END}`;
}

/** Without the characters that could end the sequence. */
const clean = (text: string): string => cut(oneLine(stripControls(text)), LONGEST);
