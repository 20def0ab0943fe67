import { randomUUID } from "node:crypto";
import type Sqlite from "better-sqlite3";
import type { ProductValues } from "../parts/product-values.ts";

export type Command = { kind: "ask" | "answer"; session: string; id: string };

/** Writes the rows that the product writes for an ask and an answer, with real values, and does nothing else. */
export function productRows(db: Sqlite.Database, { asked, answered }: ProductValues): (commands: Command[]) => void {
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const bump = db.prepare(
    `update conversation set last_sequence = last_sequence + 1, last_audit = last_audit + 1, current_round = current_round + ?,
       turn_asks = turn_asks + ?, pending_asks = pending_asks + ?, updated_at = max(updated_at, ?) where id = ?
     returning last_sequence, last_audit, current_round`,
  );
  const message = db.prepare(
    `insert into message (conversation_id, sequence_num, uuid, type, role, content, created_at) values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const audit = db.prepare(
    `insert into audit_event (conversation_id, number, action, tool_use_id, question_id, actor, at, before, after, command_id,
       first_sequence, messages, content_hash, ask_hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
  );
  const newAsk = db.prepare(
    `insert into ask (conversation_id, tool_use_id, round, shape, content_hash, status, command_id, sequence_num, inbox_item_id,
       on_timeout, asked_by, created_at) values (?, ?, ?, 'questions', ?, 'pending', ?, ?, ?, 'terminate', ?, ?)`,
  );
  const newQuestion = db.prepare(
    `insert into question (conversation_id, question_id, tool_use_id, position, status, definition)
     values (?, ?, ?, 0, 'pending', ?)`,
  );
  const newItem = db.prepare(
    `insert into inbox_item (id, conversation_id, tool_use_id, status, due_at, created_at, agent, round, question,
       similar_key) values (?, ?, ?, 'open', ?, ?, 'external', ?, ?, ?)`,
  );
  const ask = db.prepare(
    `update ask set version = version + 1, status = 'answered', command_id = ?, decided_at = ?, result = ?
     where conversation_id = ? and tool_use_id = ? and version = 0 returning inbox_item_id`,
  );
  const question = db.prepare("update question set status = 'answered' where conversation_id = ? and question_id = ?");
  const answer = db.prepare(
    "insert into answer (conversation_id, question_id, value, answered_by, answered_at) values (?, ?, ?, ?, ?)",
  );
  const item = db.prepare("update inbox_item set status = 'closed', closed_at = ?, settled = ? where id = ?");

  type Counted = { last_sequence: number; last_audit: number; current_round: number };

  /** A single question has the id of its ask. */
  function writeAsk({ session, id }: Command, now: number): void {
    const { last_sequence, last_audit, current_round } = bump.get(1, 1, 1, now, session) as Counted;
    const { content_hash, command_id, asked_by, due_at } = asked;
    const unique = randomUUID();
    newAsk.run(session, id, current_round, content_hash, command_id, last_sequence, `inb_${unique}`, asked_by, now);
    newQuestion.run(session, id, id, asked.definition);
    message.run(session, last_sequence, unique, "ask_user_question", "assistant", asked.content, now);
    const { question: text, similar_key } = asked;
    newItem.run(`inb_${unique}`, session, id, due_at, now, current_round, text, similar_key);
    const covered = [command_id, last_sequence, asked.event_hash, asked.ask_hash];
    audit.run(session, last_audit, "ask.created", id, id, asked.actor, now, null, asked.after, ...covered);
  }

  function writeAnswer({ session, id }: Command, now: number): void {
    const changed = ask.get(answered.command_id, now, answered.result, session, id);
    if (!changed) throw new Error(`${id} is already answered`);
    const { last_sequence, last_audit } = bump.get(0, 0, -1, now, session) as Counted;
    question.run(session, id);
    answer.run(session, id, answered.value, answered.answered_by, now);
    message.run(session, last_sequence, randomUUID(), "tool_result", "user", answered.content, now);
    item.run(now, answered.settled, (changed as { inbox_item_id: string }).inbox_item_id);
    const { actor, before, after, command_id, event_hash, ask_hash } = answered;
    const covered = [command_id, last_sequence, event_hash, ask_hash];
    audit.run(session, last_audit, "question.answered", id, id, actor, now, before, after, ...covered);
  }

  return (commands) => {
    begin.run();
    for (const command of commands) (command.kind === "ask" ? writeAsk : writeAnswer)(command, Date.now());
    commit.run();
  };
}
