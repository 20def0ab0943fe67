import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("a value is quoted for every separator that a spreadsheet may use, and no formula runs", () => {
  expect(csvLine(["plain", 7, -1.5, null, 'a "b"', "a;=1+1", "a\t=1+1"])).toBe(
    'plain,7,-1.5,,"a ""b""","a;=1+1","a\t=1+1"\r\n',
  );
  for (const formula of ["=1+1", "+1+1", "-1+1", "@SUM(1)", " =1+1", "＝1+1", "\t=1+1"])
    expect(csvLine([formula])).toMatch(/^"?'/);
});
