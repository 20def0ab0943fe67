import type { Database } from "../database.ts";
import { parseJson, toJson } from "../json.ts";
import { rowOf } from "../prisma.ts";
import { Statement } from "../statement.ts";
import { DRAFT } from "../tables.ts";

export type DraftKey = { person_id: string; conversation_id: string; tool_use_id: string };

const OF = "person_id = @person_id and conversation_id = @conversation_id and tool_use_id = @tool_use_id";

export async function findDraft(
  db: Database,
  key: DraftKey,
): Promise<{ value: unknown; updated_at: number } | undefined> {
  const where = { person_id_conversation_id_tool_use_id: key };
  const row = await db.prisma(({ draft }) => draft.findUnique({ where }));
  if (!row) return undefined;
  const { value, updated_at } = rowOf(DRAFT, row);
  return { value: parseJson(value), updated_at };
}

export async function saveDraft(db: Database, key: DraftKey, value: unknown, now: number): Promise<void> {
  await db.run(
    new Statement(
      `insert into draft (person_id, conversation_id, tool_use_id, value, updated_at)
       values (@person_id, @conversation_id, @tool_use_id, @value, @now)
       on conflict (person_id, conversation_id, tool_use_id) do update set value = @value, updated_at = @now`,
      { ...key, value: toJson(value), now },
    ),
  );
}

export async function removeDraft(db: Database, key: DraftKey): Promise<void> {
  await db.run(new Statement(`delete from draft where ${OF}`, key));
}
