/** What a spreadsheet would take for a formula, and so might run; some do so after spaces too. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** Some spreadsheets separate by semicolons or tabs, depending on the language: what follows one could be a formula. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** Spreadsheets take a file for UTF-8 only if it begins with this. */
export const BYTE_ORDER_MARK = "\ufeff";

/** One line of a CSV file (RFC 4180). */
export function csvLine(values: ReadonlyArray<string | number | null>): string {
  return `${values.map(csvValue).join(",")}\r\n`;
}

function csvValue(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
