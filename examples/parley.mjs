// @ts-check
// Asks through Parley and waits as long as it takes. Made again with the same `tool_use_id`, it finds the same question.

/** @typedef {{ outcome: "answered" | "replied" | "cancelled" | "timeout", reply?: string, output: { answer?: unknown, follow_up_answers?: Record<string, unknown> }, content: string }} Result */

/**
 * @param {string} url of Parley
 * @param {{ tool_use_id: string } & Record<string, unknown>} question in any of the shapes
 * @returns {Promise<Result>}
 */
export async function ask(url, question) {
  const body = JSON.stringify({ idempotency_key: question.tool_use_id, ...question });
  const headers = { "content-type": "application/json", "accept-language": "en" };
  let { ask: asked } = await call(`${url}/api/asks`, { method: "POST", headers, body });
  const where = `${url}/api/asks/${encodeURIComponent(asked.tool_use_id)}?session_id=${asked.session_id}&wait=55`;
  while (!asked.result) asked = (await call(where)).ask;
  return asked.result;
}

/** @param {string} address @param {RequestInit} [init] */
async function call(address, init) {
  const reply = await (await fetch(address, init)).json();
  if (!reply.success) throw new Error(`${reply.error.code}: ${reply.error.message}`);
  return reply;
}
