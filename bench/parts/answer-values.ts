import Sqlite from "better-sqlite3";

/** What one real answer wrote, so that the bare handler can write as much. */
export type AnswerValues = {
  command_id: string;
  result: string;
  value: string;
  answered_by: string;
  content: string;
  settled: string;
  actor: string;
  before: string;
  after: string;
};

export function answerValues(path: string, conversation_id: string, id: string): AnswerValues {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db
      .prepare(
        `select a.command_id, a.result, n.value, n.answered_by, m.content, i.settled, e.actor, e.before, e.after
         from ask a
         join answer n on n.conversation_id = a.conversation_id and n.question_id = a.tool_use_id
         join message m on m.conversation_id = a.conversation_id and m.type = 'tool_result'
         join inbox_item i on i.id = a.inbox_item_id
         join audit_event e on e.conversation_id = a.conversation_id and e.tool_use_id = a.tool_use_id
           and e.action = 'question.answered'
         where a.conversation_id = ? and a.tool_use_id = ?`,
      )
      .get(conversation_id, id) as AnswerValues;
  } finally {
    db.close();
  }
}
