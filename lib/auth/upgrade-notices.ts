import { readUpgrade, type Upgrade } from "../db/team/read.ts";
import { noteUpgrades } from "../db/team/statements.ts";
import { keyWorksIn } from "../domain/team.ts";
import { EVERYONE } from "../protocol/space.ts";
import type { AuthContext } from "./context.ts";

// What an upgrade ended is said once, at the first start after it. The database remembers how many of these notices it has
// told, so add new ones at the end, and never remove one.

type Facts = Upgrade & Pick<AuthContext, "directory"> & { claudeFolder: string | undefined };
/** What to say, with what to do about it; undefined if it does not apply here. */
type Notice = (facts: Facts) => string | undefined;

const NOTICES: readonly Notice[] = [
  ({ directory, usedClaude }) =>
    usedClaude && directory.mode === "team" && !directory.settings.built_in_agents
      ? "The claude agent is off until an admin turns it on: on the People page, or with `parley team --agents on`."
      : undefined,
  ({ claudeFolder, usedClaude }) =>
    usedClaude && claudeFolder === undefined
      ? "The claude agent cannot start, because CLAUDE_FOLDER has no default any more. Set it to the folder that it works in."
      : undefined,
  ({ keys }) =>
    listed(
      "Keys of people who are disabled were revoked, and stay so if the people are enabled again. Create new keys instead of",
      // Only the upgrade dates a revocation like this.
      keys.filter(({ revoked_at, created_at }) => revoked_at === created_at),
    ),
  ({ directory, keys }) =>
    listed(
      "These agent keys neither ask nor read any more, because nobody they belong to can answer in their space. Give each to someone who can, on the Keys page or with `parley keys change`:",
      directory.mode === "team"
        ? keys.filter(
            ({ id, kind, space_id, revoked_at }) =>
              kind === "agent" && revoked_at === null && !keyWorksIn(directory.team, id, space_id ?? EVERYONE),
          )
        : [],
    ),
  ({ invitations }) =>
    invitations.some(({ used_at, created_at }) => used_at === created_at)
      ? "Open invitations from people who are no longer admins have ended. Invite those who had not joined yet again."
      : undefined,
  ({ directory }) =>
    directory.mode === "team"
      ? "Everyone who uses a browser must sign in again, because a session's cookie does not count alone any more. Terminals stay signed in."
      : undefined,
];

/** Tells what an upgrade ended, unless an earlier start did. */
export async function tellUpgrades(
  { db, directory }: Pick<AuthContext, "db" | "directory">,
  claudeFolder: string | undefined,
  tell: (notice: string) => void,
): Promise<void> {
  const upgrade = await readUpgrade(db);
  if (upgrade.told >= NOTICES.length) return;
  const facts = { ...upgrade, directory, claudeFolder };
  const due = upgrade.isNew ? [] : NOTICES.slice(upgrade.told);
  for (const notice of due) {
    const text = notice(facts);
    if (text) tell(text);
  }
  await db.run(noteUpgrades(NOTICES.length));
}

function listed(text: string, keys: ReadonlyArray<{ name: string; hint: string }>): string | undefined {
  if (keys.length === 0) return undefined;
  return `${text} ${keys.map(({ name, hint }) => `${name} (${hint})`).join(", ")}.`;
}
