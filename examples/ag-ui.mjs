// @ts-check
// AG-UI: a run that ends with an interrupt asks through Parley, and the next run brings what was answered:
//
//   const { outcome } = await run(agent, input);
//   if (outcome.type === "interrupt") await run(agent, { ...input, resume: await resumeOf(url, outcome) });
//
// node examples/ag-ui.mjs [http://localhost:3000]
import { pathToFileURL } from "node:url";
import { ask } from "./parley.mjs";

/**
 * @typedef {{ type?: string, title?: string, description?: string, enum?: string[], items?: { enum?: string[] }, properties?: Record<string, Schema>, required?: string[] }} Schema
 * @typedef {{ id: string, reason: string, message?: string, responseSchema?: Schema, expiresAt?: string }} Interrupt
 * @typedef {{ interruptId: string, status: "resolved" | "cancelled", payload?: unknown }} Resume
 */

/**
 * All interrupts at once, each answered by the next available person: the next run must include every one of them.
 *
 * @param {string} url of Parley
 * @param {{ type: "interrupt", interrupts: Interrupt[] }} outcome
 * @returns {Promise<Resume[]>}
 */
export function resumeOf(url, { interrupts }) {
  return Promise.all(interrupts.map((interrupt) => resume(url, interrupt)));
}

/** @param {string} url @param {Interrupt} interrupt @returns {Promise<Resume>} */
async function resume(url, interrupt) {
  const { id: interruptId, responseSchema: schema = {} } = interrupt;
  try {
    if (!schema.properties)
      return { interruptId, status: "resolved", payload: await field(url, interrupt, "", schema) };
    const names = Object.entries(schema.properties);
    const required = schema.required ?? [];
    const values = await Promise.all(
      names.map(([name, one]) => field(url, interrupt, name, one, required.includes(name))),
    );
    const payload = names.map(([name], index) => [name, values[index]]).filter(([, value]) => value !== null);
    return { interruptId, status: "resolved", payload: Object.fromEntries(payload) };
  } catch (error) {
    // Nobody answered, or the question was cancelled: there is no payload, and none is made up.
    if (error instanceof Unanswered) return { interruptId, status: "cancelled" };
    throw error;
  }
}

class Unanswered extends Error {}

/**
 * One question for one field of the schema; what is no number where one is needed, or words instead of a choice, is asked
 * for again.
 *
 * @param {string} url @param {Interrupt} interrupt @param {string} name @param {Schema} schema
 */
async function field(url, { id, reason, message, expiresAt }, name, schema, required = true) {
  const isNumber = schema.type === "number" || schema.type === "integer";
  const choices = schema.enum ?? schema.items?.enum;
  const type = schema.type === "boolean" ? "boolean" : schema.items ? "checkbox" : choices ? "multiple_choice" : "text";
  for (let problem = "", round = 1; ; round++) {
    const result = await ask(url, {
      tool_use_id: [id, name, ...(round > 1 ? [round] : [])].filter(Boolean).join("/"),
      agent: "ag-ui",
      question_text: [message ?? reason, schema.title ?? name].filter(Boolean).join(" — "),
      description: [problem, schema.description].filter(Boolean).join("\n\n"),
      type,
      ...(choices && { options: choices.map((choice) => ({ id: choice, label: choice })) }),
      required,
      ...(expiresAt && { deadline_at: expiresAt }),
    });
    // Words fit a text. For anything else the person is asked again, and told why.
    if (result.reply !== undefined && type === "text" && !isNumber) return result.reply;
    if (result.reply !== undefined) {
      problem = `“${result.reply}” cannot be sent to this agent. It needs one of these answers.`;
      continue;
    }
    if (result.outcome !== "answered") throw new Unanswered(result.content);
    const { answer } = result.output;
    if (!isNumber || answer === null) return answer;
    if (Number.isFinite(Number(answer))) return Number(answer);
    problem = `${answer} is not a number.`;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const url = process.argv[2] ?? "http://localhost:3000";
  const approve = { type: "object", properties: { approved: { type: "boolean" }, amount: { type: "number" } } };
  const id = `ag-ui-${Date.now()}`;
  const interrupts = [{ id, reason: "confirmation", message: "Refund the order?", responseSchema: approve }];
  console.log(JSON.stringify(await resumeOf(url, { type: "interrupt", interrupts })));
}
