import { stripControls } from "../../domain/clean-text.ts";
import { type Part, reveal } from "../../domain/views/reveal.ts";

/** Text that others wrote, with hidden and misleading characters marked, as on the web. */
export function visibleText(text: string): string {
  return reveal(stripControls(text)).map(marked).join("");
}

function marked(part: Part): string {
  switch (part.kind) {
    case "hidden":
      return `⟨${part.code}⟩`;
    case "mixed":
      return `${part.text}⟨mixed alphabets⟩`;
    case "blank":
      return ` ⟨⏎×${part.count}⟩ `;
    default:
      return part.text;
  }
}
