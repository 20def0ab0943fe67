import { Connection, type Reply } from "./connection.ts";

const QUESTIONS = JSON.stringify([
  {
    question: "Which database should the order service use when it moves out of the monolith next quarter?",
    header: "Database",
    multiSelect: false,
    options: [
      {
        label: "PostgreSQL",
        description: "What the monolith uses; the team knows how to run it and how to back it up.",
      },
      { label: "SQLite", description: "Nothing to run, fast for one node, but there can never be a second writer." },
      { label: "DynamoDB", description: "Scales without us, costs more, and every query has to be known in advance." },
    ],
  },
]);

/** A typical ask: one question with three options, about 600 bytes. */
export function askBody(session: string, id: string, wait = 0): string {
  const waiting = wait > 0 ? `"wait":${wait},` : "";
  return `{"session_id":"${session}","tool_use_id":"${id}",${waiting}"questions":${QUESTIONS}}`;
}

export function answerBody(session: string, id: string): string {
  return `{"session_id":"${session}","question_id":"${id}","answer":"option_1"}`;
}

export function waitPath(session: string, id: string): string {
  return `/api/asks/${id}?session_id=${session}&wait=55`;
}

export async function openSessions({ port, count }: { port: number; count: number }): Promise<string[]> {
  const sessions: string[] = [];
  const opened = Array.from({ length: 16 }, async () => {
    const connection = await Connection.open(port);
    while (sessions.length < count) {
      const { body } = expect(await connection.post("/api/sessions", "{}"), 201);
      sessions.push((JSON.parse(body.toString()) as { session_id: string }).session_id);
    }
    connection.close();
  });
  await Promise.all(opened);
  return sessions.slice(0, count);
}

/** Fails on a refused request, which would make a server look fast. */
export function expect(reply: Reply, status: number): Reply {
  if (reply.status === status) return reply;
  throw new Error(`expected ${status}, got ${reply.status}: ${reply.body.toString().slice(0, 300)}`);
}
