import type { AskView } from "../../protocol/ask.ts";
import type { Paint } from "../terminal/paint.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { age, clockTime, due, dueFormat } from "../terminal/when.ts";

const TEXT_LINES = 8;

/** What a person must know before the first question: about what, who asks, until when, which files. */
export function askContext(ask: AskView, agent: string, title: string | null, paint: Paint, now: number): string {
  const count = ask.questions.filter((question) => !question.parent).length;
  const asked = age(ask.created_at, now);
  const facts = [
    visibleText(agent),
    `Round ${ask.round}/${ask.total_rounds}`,
    ...(count > 1 ? [`${count} questions`] : []),
    asked === "now" ? "asked just now" : `asked ${asked} ago`,
  ].join(" · ");
  return [
    "",
    ...(title ? [paint("bold", visibleText(title))] : []),
    paint("dim", facts),
    ...deadlineLine(ask, paint, now),
    ...(ask.irreversible ? [paint("red", "This cannot be undone. You confirm your answer before it is sent.")] : []),
    ...filesOf(ask).flatMap((file) => fileLines(file, paint)),
  ].join("\n");
}

type File = { path: string; lines?: string | number; text?: string };

function filesOf({ input: { context } }: AskView): File[] {
  return Array.isArray(context) ? context : [];
}

function fileLines({ path, lines, text }: File, paint: Paint): string[] {
  const written = text?.trimEnd().split("\n") ?? [];
  const more = written.length - TEXT_LINES;
  return [
    paint("cyan", visibleText(`${path}${lines === undefined ? "" : `:${lines}`}`)),
    ...written.slice(0, TEXT_LINES).map((line) => paint("dim", `  │ ${visibleText(line)}`)),
    ...(more > 0 ? [paint("dim", `  │ … ${more} more ${more === 1 ? "line" : "lines"}`)] : []),
  ];
}

function deadlineLine({ deadline_at, on_timeout }: AskView, paint: Paint, now: number): string[] {
  if (deadline_at === null) return [];
  const otherwise = on_timeout === "default" ? "the defaults are used" : "it times out";
  const text = `Answer by ${clockTime(deadline_at, now)} (${due(deadline_at, now)}), or ${otherwise}.`;
  return [paint(dueFormat(deadline_at, now) ?? "dim", text)];
}
