import { createClient } from "../../lib/client.ts";
import { DEPLOY, LICENCE, OTHERS, SETTLED, STORE, THREAD } from "./pictured-questions.ts";

/** A few open and settled questions, and a conversation that was imported. Returns that conversation. */
export async function fillAlone(url: string): Promise<string> {
  const hub = createClient({ url });
  const { session_id } = await hub.call("importSession", {
    body: THREAD.map((line) => JSON.stringify(line)).join("\n"),
  });
  const builder = createClient({ url, headers: () => ({ "x-parley-name": "claude-code" }) });
  for (const { by, ...question } of SETTLED) {
    const { ask } = await hub.call("ask", { body: { ...question, options: ["Yes", "No"] } });
    const person = createClient({ url, headers: () => ({ "x-parley-name": by }) });
    const { session_id, tool_use_id, questions } = ask;
    const question_id = questions[0]?.question_id ?? "";
    await person.call("answer", { body: { session_id, tool_use_id, answers: { [question_id]: "Yes" } } });
  }
  await hub.call("ask", { body: DEPLOY });
  await builder.call("ask", { body: { session_id, ...STORE } });
  for (const repository of ["web", "api", "docs"])
    await hub.call("ask", { body: { ...LICENCE, title: `Licence headers: ${repository}` } });
  for (const body of OTHERS) await hub.call("ask", { body });
  return session_id;
}
