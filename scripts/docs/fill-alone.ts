import { createClient } from "../../lib/client.ts";
import { DEPLOY, LICENCE, OTHERS, STORE, THREAD } from "./pictured-questions.ts";

/** A few open questions, and a conversation that was imported. Returns that conversation. */
export async function fillAlone(url: string): Promise<string> {
  const hub = createClient({ url });
  const { session_id } = await hub.call("importSession", {
    body: THREAD.map((line) => JSON.stringify(line)).join("\n"),
  });
  const builder = createClient({ url, headers: () => ({ "x-parley-name": "claude-code" }) });
  await hub.call("ask", { body: DEPLOY });
  await builder.call("ask", { body: { session_id, ...STORE } });
  for (const repository of ["web", "api", "docs"])
    await hub.call("ask", { body: { ...LICENCE, title: `Licence headers: ${repository}` } });
  for (const body of OTHERS) await hub.call("ask", { body });
  return session_id;
}
