// @ts-check
// Asks through Parley and waits as long as it takes, also while Parley restarts. Made again with the same `tool_use_id`, it
// finds the same question. Where people sign in, it sends the key in PARLEY_KEY.

import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {{ outcome: "answered" | "replied" | "cancelled" | "timeout", reply?: string, output: { answer?: unknown, follow_up_answers?: Record<string, unknown> }, content: string }} Result */

/** A proxy in front of a Parley that restarts, and a Parley that cannot store anything right now. */
const AWAY = [502, 503, 504];
const PAUSE_MS = 1_000;

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

/**
 * Tries again while Parley is away, and after the time that a limit names.
 * @param {string} address @param {RequestInit} [init]
 */
async function call(address, init) {
  const { PARLEY_KEY } = process.env;
  const headers = { ...init?.headers, ...(PARLEY_KEY && { authorization: `Bearer ${PARLEY_KEY}` }) };
  for (let isAway = false; ; ) {
    const reply = await fetch(address, { ...init, headers })
      .then((response) => (AWAY.includes(response.status) ? undefined : response.json()))
      .catch(() => undefined);
    if (reply?.success) return reply;
    if (reply && reply.error.code !== "rate_limited") throw new Error(`${reply.error.code}: ${reply.error.message}`);
    if (!reply && !isAway) console.error(`Parley does not answer at ${address}. Trying again.`);
    isAway = !reply;
    await sleep(reply ? reply.error.details.retry_after * 1_000 : PAUSE_MS);
  }
}
