import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test.each([
  ["a hidden character", "pay\u200Bpal", "pay⟨U+200B⟩pal"],
  ["look-alike letters", "p\u0430ypal.com", "pаypal⟨mixed alphabets⟩.com"],
  ["text that is pushed out of sight", `yes${"\n".repeat(40)}and delete`, "yes ⟨⏎×40⟩ and delete"],
  ["what moves the cursor", "a\u001b[2Jb", "a[2Jb"],
  ["ordinary text", "Déployer 2.43? 👨‍👩‍👧 はい", "Déployer 2.43? 👨‍👩‍👧 はい"],
])("%s", (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
