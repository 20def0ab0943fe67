import { z } from "zod";

/** A question template: `.claude/skills/<folder>/SKILL.md` with an `ask_user_question` block. */
export const Skill = z.object({
  name: z.string().describe("Its name: `name` in the file, or the name of the folder."),
  description: z.string().nullable().describe("When to use it."),
  file: z.string().describe("The file that holds it."),
  variables: z
    .array(
      z.object({
        name: z.string().describe("The variable's name, as in `{{name}}`."),
        default: z.string().nullable().describe("Its default, as in `{{name|default}}`; null if it is required."),
      }),
    )
    .describe("The template's variables."),
  question: z.record(z.string(), z.unknown()).describe("The ask before its variables are filled in."),
});
export type Skill = z.infer<typeof Skill>;

export const BrokenSkill = z.object({
  file: z.string().describe("The file."),
  line: z.number().int().describe("The line, from 1."),
  message: z.string().describe("What is wrong."),
});
export type BrokenSkill = z.infer<typeof BrokenSkill>;

export const SkillList = z.object({
  skills: z.array(Skill).describe("The templates that can be used."),
  broken: z.array(BrokenSkill).describe("Files with a template that cannot be used."),
});
export type SkillList = z.infer<typeof SkillList>;
