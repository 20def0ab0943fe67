import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { filled, readSkill, unknownSkill } from "../../domain/skill.ts";
import type { SkillList } from "../../protocol/skill.ts";
import type { Overview } from "../access.ts";
import type { HubContext } from "../context.ts";

type Context = Pick<HubContext, "skillsFolder" | "normalise">;

/** The question templates. Read each time: files are edited while Parley runs. */
export async function listSkills(ctx: Context, _caller: Overview): Promise<SkillList> {
  return readSkills(ctx);
}

/** The request filled in from its template. What the request says itself takes precedence. */
export async function withSkill<Request extends Record<string, unknown>>(
  ctx: Context,
  request: Request,
): Promise<Request> {
  const { skill: name, variables = {}, ...rest } = request;
  if (typeof name !== "string") return request;
  const { skills } = await readSkills(ctx);
  const skill = skills.find((one) => one.name === name);
  if (!skill)
    throw unknownSkill(
      name,
      skills.map((one) => one.name),
    );
  return { ...filled(skill, variables as Record<string, string>), ...rest } as unknown as Request;
}

async function readSkills({ skillsFolder, normalise }: Context): Promise<SkillList> {
  const list: SkillList = { skills: [], broken: [] };
  for (const folder of await foldersIn(skillsFolder)) {
    const file = join(folder, "SKILL.md");
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const read = readSkill(file, basename(folder), text, (ask) => void normalise(ask, () => "skill"));
    if (!read) continue;
    if ("line" in read) list.broken.push(read);
    else if (list.skills.some(({ name }) => name === read.name)) {
      list.broken.push({ file, line: 1, message: `the name ${read.name} is taken by another skill` });
    } else list.skills.push(read);
  }
  return list;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => join(folder, entry.name))
    .sort();
}
