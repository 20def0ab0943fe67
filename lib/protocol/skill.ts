import { z } from "zod";

/** A question that is kept as a template: `.claude/skills/<folder>/SKILL.md` with an `ask_user_question` block. */
export const Skill = z.object({
  name: z.string().describe("What it is asked by: `name` of the file, else its folder."),
  description: z.string().nullable().describe("When to use it."),
  file: z.string().describe("Where it stands."),
  variables: z
    .array(
      z.object({
        name: z.string().describe("As in `{{name}}`."),
        default: z.string().nullable().describe("As in `{{name|default}}`; null: it must be given."),
      }),
    )
    .describe("What it is filled with."),
  question: z.record(z.string(), z.unknown()).describe("The ask, not filled yet."),
});
export type Skill = z.infer<typeof Skill>;

export const BrokenSkill = z.object({
  file: z.string().describe("Which file."),
  line: z.number().int().describe("Where in it, from 1."),
  message: z.string().describe("What is wrong."),
});
export type BrokenSkill = z.infer<typeof BrokenSkill>;

export const SkillList = z.object({
  skills: z.array(Skill).describe("What can be asked by name."),
  broken: z.array(BrokenSkill).describe("Files that hold a template which cannot be used."),
});
export type SkillList = z.infer<typeof SkillList>;
