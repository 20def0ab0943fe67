import { askChoices } from "./ask-choices.ts";
import type { Stage } from "./stage.ts";

/** Asks which functions to run, again as often as "one more multi-select" is chosen, and runs them. */
export async function rounds({ run, words, speak }: Stage): Promise<void> {
  const { choose, doing } = words;
  await speak(words.hello);
  for (let round = 1; ; round++) {
    const question = {
      question: round === 1 ? choose.question : choose.again,
      header: choose.header,
      multiSelect: true,
      options: [choose.poem, choose.joke, choose.smiley, choose.more],
    };
    const [result] = await askChoices(run, [question]);
    if (!result) return;
    if (result.outcome === "cancelled") return speak(words.cancelled(result.reason ?? ""));
    const { labels = [], text = result.reply ?? null } = result.answers[0] ?? {};
    if (text !== null) await speak(doing.other(text));
    if (labels.includes(choose.poem.label)) await speak(`${doing.poem}\n\n${words.poem}`);
    if (labels.includes(choose.joke.label)) await speak(`${doing.joke}\n\n${words.joke}`);
    if (labels.includes(choose.smiley.label)) await speak(`${doing.smiley} 😊`);
    if (!labels.includes(choose.more.label)) return speak(words.done);
    await speak(words.onceMore);
  }
}
