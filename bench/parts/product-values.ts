import Sqlite from "better-sqlite3";

/** The values that a real ask and its answer wrote, so that a bare server can write the same. */
export type ProductValues = {
  asked: {
    content_hash: string;
    command_id: string;
    asked_by: string;
    definition: string;
    content: string;
    due_at: number;
    question: string;
    similar_key: string;
    actor: string;
    after: string;
    event_hash: string;
    ask_hash: string;
  };
  answered: {
    command_id: string;
    result: string;
    value: string;
    answered_by: string;
    content: string;
    settled: string;
    actor: string;
    before: string;
    after: string;
    event_hash: string;
    ask_hash: string;
  };
};

/** Reads them from an answered question. */
export function productValues(path: string, conversation_id: string, id: string): ProductValues {
  const db = new Sqlite(path, { readonly: true });
  try {
    const asked = db.prepare(
      `select a.content_hash, a.command_id, a.asked_by, q.definition, m.content, i.due_at, i.question,
         i.similar_key, e.actor, e.after, e.content_hash as event_hash, e.ask_hash
       from ask a
       join question q on q.conversation_id = a.conversation_id and q.question_id = a.tool_use_id
       join message m on m.conversation_id = a.conversation_id and m.sequence_num = a.sequence_num
       join inbox_item i on i.id = a.inbox_item_id
       join audit_event e on e.conversation_id = a.conversation_id and e.tool_use_id = a.tool_use_id
         and e.action = 'ask.created'
       where a.conversation_id = ? and a.tool_use_id = ?`,
    );
    const answered = db.prepare(
      `select a.command_id, a.result, n.value, n.answered_by, m.content, i.settled, e.actor, e.before, e.after,
         e.content_hash as event_hash, e.ask_hash
       from ask a
       join answer n on n.conversation_id = a.conversation_id and n.question_id = a.tool_use_id
       join message m on m.conversation_id = a.conversation_id and m.type = 'tool_result'
       join inbox_item i on i.id = a.inbox_item_id
       join audit_event e on e.conversation_id = a.conversation_id and e.tool_use_id = a.tool_use_id
         and e.action = 'question.answered'
       where a.conversation_id = ? and a.tool_use_id = ?`,
    );
    return {
      asked: asked.get(conversation_id, id) as ProductValues["asked"],
      answered: answered.get(conversation_id, id) as ProductValues["answered"],
    };
  } finally {
    db.close();
  }
}
