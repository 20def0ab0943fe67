import { expect, test } from "vitest";
import { directionOf } from "./direction.ts";

test("the first letter decides", () => {
  expect(directionOf("هل نعيد المبلغ؟")).toBe("rtl");
  expect(directionOf("4105: האם לפרוס?")).toBe("rtl");
  expect(directionOf("Deploy مدفوعات?")).toBe("ltr");
  expect(directionOf("第三季度")).toBe("ltr");
  expect(directionOf("42?")).toBe("ltr");
});
