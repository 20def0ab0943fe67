import type { AskView } from "../../protocol/ask.ts";

const TEXT_LINES = 8;

/** The context of an ask: who asks, about what, which files, and until when. */
export function askContext(ask: AskView, agent: string, title: string | null): string {
  const count = ask.questions.filter((question) => !question.parent).length;
  const what = count === 1 ? "a question" : `${count} questions`;
  return [
    "",
    [`${agent} has ${what}`, ...(title ? [title] : [])].join(" · "),
    ...filesOf(ask).flatMap(fileLines),
    ...(ask.deadline_at === null ? [] : [deadlineLine(ask.deadline_at, ask.on_timeout)]),
  ].join("\n");
}

type File = { path: string; lines?: string | number; text?: string };

function filesOf({ input: { context } }: AskView): File[] {
  return Array.isArray(context) ? context : [];
}

function fileLines({ path, lines, text }: File): string[] {
  const written = text?.trimEnd().split("\n") ?? [];
  const more = written.length - TEXT_LINES;
  return [
    `  ${path}${lines === undefined ? "" : `:${lines}`}`,
    ...written.slice(0, TEXT_LINES).map((line) => `    ${line}`),
    ...(more > 0 ? [`    … ${more} more ${more === 1 ? "line" : "lines"}`] : []),
  ];
}

function deadlineLine(deadline_at: string, on_timeout: AskView["on_timeout"]): string {
  const at = new Date(deadline_at);
  const isToday = at.toDateString() === new Date().toDateString();
  const time = isToday ? at.toLocaleTimeString() : at.toLocaleString();
  return `  Answer by ${time}, or ${on_timeout === "default" ? "the defaults are used" : "it times out"}.`;
}
