const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The direction in which a text is read, by its first letter, as `dir="auto"` finds it: for what belongs to the text and is
 * not in the same element, such as the options of a question.
 */
export function directionOf(text: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}
