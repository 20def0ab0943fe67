import { describe, expect, it } from "vitest";
import { hueOf, initialsOf } from "./avatar.tsx";

describe("an avatar", () => {
  it.each([
    ["Mei Tanaka", "MT"],
    ["deploy-bot", "DB"],
    ["claude-code@ci-7", "CC"],
    ["kenji", "K"],
    ["田中 芽衣", "田"],
    ["김민수", "김"],
    ["", "?"],
    ["!!!", "?"],
  ])("shows %s as %s", (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it("shows one letter where two do not fit", () => {
    expect(initialsOf("Mei Wang", 1)).toBe("M");
    expect(initialsOf("田中 芽衣", 1)).toBe("田");
  });

  it("has the same colour for the same name, and uses every colour", () => {
    const hues = Array.from({ length: 200 }, (_, index) => hueOf(`agent-${index}`));
    expect(hues).toEqual(Array.from({ length: 200 }, (_, index) => hueOf(`agent-${index}`)));
    expect(new Set(hues).size).toBe(8);
  });
});
