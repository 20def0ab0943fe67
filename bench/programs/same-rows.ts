// An answer that writes the rows that the product's answer writes, seven of them, and does nothing else:
// `same-rows.js <path of a database with the product's tables> <path of a JSON file with the values of a real answer>`.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { groupCommit } from "../bare/group-commit.ts";
import { readJson, reply, serve } from "../bare/http-server.ts";
import { openLikeTheProduct } from "../bare/rows.ts";
import type { AnswerValues } from "../parts/answer-values.ts";

type Answer = { session_id: string; question_id: string };

const [path = "", values = ""] = process.argv.slice(2);
const like = JSON.parse(readFileSync(values, "utf8")) as AnswerValues;
const db = openLikeTheProduct(path);
const begin = db.prepare("begin immediate");
const commit = db.prepare("commit");
const ask = db.prepare(
  `update ask set version = version + 1, status = 'answered', command_id = ?, decided_at = ?, result = ?
   where conversation_id = ? and tool_use_id = ? and version = 0 returning inbox_item_id`,
);
const conversation = db.prepare(
  `update conversation set last_sequence = last_sequence + 1, last_audit = last_audit + 1, pending_asks = pending_asks - 1,
   updated_at = max(updated_at, ?) where id = ? returning last_sequence, last_audit`,
);
const question = db.prepare("update question set status = 'answered' where conversation_id = ? and question_id = ?");
const answer = db.prepare(
  "insert into answer (conversation_id, question_id, value, answered_by, answered_at) values (?, ?, ?, ?, ?)",
);
const message = db.prepare(
  `insert into message (conversation_id, sequence_num, uuid, type, role, content, created_at)
   values (?, ?, ?, 'tool_result', 'user', ?, ?)`,
);
const inbox = db.prepare("update inbox_item set status = 'closed', closed_at = ?, settled = ? where id = ?");
const audit = db.prepare(
  `insert into audit_event (conversation_id, number, action, tool_use_id, question_id, actor, at, before, after)
   values (?, ?, 'question.answered', ?, ?, ?, ?, ?, ?)`,
);

const store = groupCommit<Answer>((answers) => {
  begin.run();
  for (const one of answers) write(one, Date.now());
  commit.run();
});

serve((req, res) => {
  readJson(req, (body) => {
    const one = body as Answer;
    store(one, () =>
      reply(
        res,
        200,
        `{"success":true,"message":"ok","tool_use_id":${JSON.stringify(one.question_id)},"status":"answered"}`,
      ),
    );
  });
});

/** A lone question has the id of its ask. */
function write({ session_id: session, question_id: id }: Answer, now: number): void {
  const changed = ask.get(like.command_id, now, like.result, session, id) as { inbox_item_id: string } | undefined;
  if (!changed) throw new Error(`${id} was answered before`);
  const counted = conversation.get(now, session) as { last_sequence: number; last_audit: number };
  question.run(session, id);
  answer.run(session, id, like.value, like.answered_by, now);
  message.run(session, counted.last_sequence, randomUUID(), like.content, now);
  inbox.run(now, like.settled, changed.inbox_item_id);
  audit.run(session, counted.last_audit, id, id, like.actor, now, like.before, like.after);
}
