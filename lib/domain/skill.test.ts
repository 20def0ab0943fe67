import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import type { Skill } from "../protocol/skill.ts";
import { createNormalise } from "./shapes/normalise.ts";
import { filled, readSkill } from "./skill.ts";

const normalise = createNormalise(DEFAULT_LIMITS);
const read = (text: string) => readSkill("x/SKILL.md", "x", text, (ask) => void normalise(ask, () => "id"));
const block = (json: string, head = "") => `${head}# A skill\n\n\`\`\`ask_user_question\n${json}\n\`\`\`\n`;

const DEPLOY = block(
  '{\n "question_text": "Deploy {{service}} to {{place|staging}}?",\n "type": "boolean"\n}',
  '---\nname: deploy\ndescription: "Before a deployment"\n---\n',
);

test("a template has a name, a description and variables", () => {
  expect(read(DEPLOY)).toEqual({
    name: "deploy",
    description: "Before a deployment",
    file: "x/SKILL.md",
    variables: [
      { name: "service", default: null },
      { name: "place", default: "staging" },
    ],
    question: { question_text: "Deploy {{service}} to {{place|staging}}?", type: "boolean" },
  });
  expect(read(block('{"question":"Well?"}'))).toMatchObject({ name: "x", description: null, variables: [] });
  expect(read(block('{"question":"W\\u0000ell?\\u202e"}'))).toMatchObject({ question: { question: "Well?" } });
  expect(read("# A skill of another kind")).toBeUndefined();
});

test("a broken template is reported with its line", () => {
  expect(read(block('{\n "question": "Well?"\n "type": 1\n}'))).toMatchObject({ line: 6 });
  expect(read(block('{\n "question": '))).toMatchObject({ line: 5 });
  expect(read("```ask_user_question\n{}")).toMatchObject({
    line: 1,
    message: "the ask_user_question block has no end",
  });
  expect(read(block("[]"))).toMatchObject({ line: 4, message: "an ask is an object" });
  expect(read(block('{"question_text":"Which?","type":"checkbox"}'))).toMatchObject({
    line: 4,
    message: "options: needs at least 1 option",
  });
});

test("variables are inserted as plain text; missing and unknown ones are reported", () => {
  const skill = read(DEPLOY) as Skill;
  expect(filled(skill, { service: '","type":"text' })).toEqual({
    question_text: 'Deploy ","type":"text to staging?',
    type: "boolean",
  });
  expect(filled(skill, { service: "{{place}}", place: "$&" }).question_text).toBe("Deploy {{place}} to $&?");
  expect(() => filled(skill, { other: "x" })).toThrow("variables.service: is missing (and 1 more)");
});
