// How Claude Code writes the answer to a question with several choices, as one text: joined by commas, with quotes around
// a choice that contains a comma or quotes. What the person typed comes last.

export function joinChoices(choices: string[]): string {
  return choices.map((one) => (one.includes(", ") || one.includes('"') ? JSON.stringify(one) : one)).join(", ");
}

export type Choices = { chosen: string[]; other: string };

/** The labels in an answer, and what the person wrote instead of them or next to them. */
export function choicesIn(answer: string, labels: string[], isMany: boolean): Choices {
  if (!isMany) return labels.includes(answer) ? { chosen: [answer], other: "" } : { chosen: [], other: answer };
  const parts = splitChoices(answer);
  const typed = parts?.findIndex((part) => !labels.includes(part)) ?? -1;
  if (parts && typed < 0) return { chosen: parts, other: "" };
  if (parts && typed === parts.length - 1) return { chosen: parts.slice(0, -1), other: parts.at(-1) ?? "" };
  return unquotedChoices(answer, labels);
}

function splitChoices(answer: string): string[] | undefined {
  const choice = /"(?:[^"\\]|\\.)*"|[^"]*?(?=, |$)/sy;
  const parts: string[] = [];
  for (let at = 0; ; at += 2) {
    choice.lastIndex = at;
    const part = choice.exec(answer)?.[0];
    if (part === undefined) return undefined;
    parts.push(part.startsWith('"') ? unquoted(part) : part);
    at += part.length;
    if (at === answer.length) return parts;
    if (!answer.startsWith(", ", at)) return undefined;
  }
}

function unquoted(part: string): string {
  try {
    return JSON.parse(part);
  } catch {
    return part;
  }
}

/** Older versions wrote no quotes: match the longest labels first; the rest is the person's own words. */
function unquotedChoices(answer: string, labels: string[]): Choices {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);
  const chosen: string[] = [];
  let rest = answer;
  while (rest !== "") {
    const label = longestFirst.find((one) => rest === one || rest.startsWith(`${one}, `));
    if (label === undefined) break;
    chosen.push(label);
    rest = rest.slice(label.length + 2);
  }
  return { chosen, other: rest };
}
