import { expect, test } from "vitest";
import { previewText } from "./preview-text.ts";

test("a preview is shown without the marks around its code", () => {
  expect(previewText("```ts\nconst a = 1;\n```")).toBe("const a = 1;");
  expect(previewText("Before\n~~~\nb\n~~~\nafter")).toBe("Before\nb\nafter");
  expect(previewText("`a` and ```b``` in a line\u0007")).toBe("`a` and ```b``` in a line");
});
