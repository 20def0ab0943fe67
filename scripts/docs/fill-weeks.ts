import { openDatabase } from "../../lib/db/database.ts";
import { auditKeyOf } from "../../lib/hub/audit/key.ts";
import { createHub } from "../../lib/hub/hub.ts";
import type { Actor, Call, Surface } from "../../lib/protocol/actor.ts";
import { DEFAULT_LIMITS } from "../../lib/protocol/limits.ts";
import { root } from "../setup/root.mjs";
import { PAST } from "./pictured-questions.ts";

/** The server that takes the pictures has the same one. */
export const AUDIT_KEY = "a key for pictures, and for nothing else";
const WEEKS = 6;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Six weeks of questions and answers, so that the pictures show what a team sees after a while. */
export async function fillWeeks(url: string, until = Date.now()): Promise<void> {
  const db = await openDatabase({ url, root });
  let now = until - WEEKS * 7 * DAY;
  const hub = createHub({
    db,
    auditKey: auditKeyOf(AUDIT_KEY),
    limits: { ...DEFAULT_LIMITS, maxPerMinute: 0, maxOpen: 0 },
    maxQueue: 8,
    skillsFolder: ".claude/skills",
    clock: () => now,
    onError: (error) => {
      throw error;
    },
  });
  await hub.begin({ actor: agent("parley"), now });
  const random = sequence(20_261);
  for (let day = Math.floor(now / DAY); day < Math.floor(until / DAY); day++) {
    // The first of January 1970 was a Thursday.
    const isWeekend = (day + 3) % 7 > 4;
    const count = isWeekend ? 1 : 5 + Math.floor(random() * 6);
    const hours = Array.from({ length: count }, () => 8 + random() * 9).sort((a, b) => a - b);
    for (const hour of hours) {
      now = day * DAY + hour * 60 * MINUTE;
      const { agent: name, title, questions, people } = pick(PAST, random());
      const question = pick(questions, random());
      const ask = await hub.ask(
        { actor: agent(name), now },
        { agent: name, title, session_key: `${name} ${day}`, ...question },
      );
      // Most answers come within minutes, some after lunch.
      now += (0.3 + 4 * random() ** 2 + (random() > 0.85 ? 90 * random() : 0)) * MINUTE;
      const call = by(pick(people, random()), random() > 0.8 ? "cli" : "browser", now);
      const { conversation_id, tool_use_id, questions: asked } = ask;
      if (random() > 0.94) await hub.cancel(call, { conversation_id, question_id: tool_use_id }, "Not needed any more");
      else {
        const isFirst = random() < 0.75;
        await hub.answer(call, {
          conversation_id,
          question_id: tool_use_id,
          answer: asked[0]?.options[isFirst ? 0 : 1]?.id ?? isFirst,
        });
      }
    }
  }
  await hub.stop();
  await db.close();
}

const agent = (name: string): Actor => ({ kind: "agent", name, surface: "mcp", rights: ["ask", "read"] });

function by(name: string, surface: Surface, now: number): Call {
  return { actor: { kind: "person", name, surface, rights: ["answer", "read"] }, now };
}

function pick<Item>(items: readonly [Item, ...Item[]], part: number): Item {
  return items[Math.floor(part * items.length)] ?? items[0];
}

/** The same numbers between 0 and 1 for every picture. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
