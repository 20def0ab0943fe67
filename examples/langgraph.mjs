// @ts-check
// LangGraph and LangChain: what a graph is interrupted for becomes questions in Parley, and their answers become what it
// is resumed with. All interrupts are asked about, then the graph is resumed once, with an answer for each by its id: a
// single value would be the answer to all of them.
//
//   let run = await graph.invoke(input, config);
//   while (run.__interrupt__?.length)
//     run = await graph.invoke(new Command({ resume: await resumeOf(url, run.__interrupt__) }), config);
//
// node examples/langgraph.mjs [http://localhost:3000]
import { pathToFileURL } from "node:url";
import { ask } from "./parley.mjs";

/**
 * Agent Inbox: `interrupt([HumanInterrupt])`, resumed with HumanResponse[].
 * @typedef {{ action: string, args: Record<string, unknown> }} ActionRequest
 * @typedef {Partial<Record<"allow_accept" | "allow_edit" | "allow_respond" | "allow_ignore", boolean>>} Config
 * @typedef {{ action_request: ActionRequest, config: Config, description?: string }} HumanInterrupt
 *
 * LangChain's humanInTheLoopMiddleware: HITLRequest, resumed with { decisions }.
 * @typedef {{ name: string, args: Record<string, unknown>, description?: string }} Action
 * @typedef {{ actionRequests: Action[], reviewConfigs: { actionName?: string, allowedDecisions: string[] }[] }} HITLRequest
 *
 * @typedef {{ id: string, value: HITLRequest | HumanInterrupt | HumanInterrupt[] }} Interrupt
 * @typedef {{ way: string, args: Record<string, unknown>, message: string | undefined }} Decision
 */

/** What a person may decide. `edit` asks for arguments, the ways that say something for words. */
const WAYS = {
  accept: { label: "Accept", description: "Do it as it stands" },
  approve: { label: "Approve", description: "Do it as it stands" },
  edit: { label: "Edit", description: "Do it with other arguments" },
  response: { label: "Respond", description: "Say something instead" },
  respond: { label: "Respond", description: "Answer in place of the tool" },
  reject: { label: "Reject", description: "Do not do it; you may say why" },
  ignore: { label: "Ignore", description: "Leave it" },
};
const SAYING = ["response", "respond", "reject"];

/**
 * @param {string} url of Parley
 * @param {Interrupt[]} interrupts `__interrupt__` of a run
 * @returns {Promise<Record<string, unknown>>} `resume` of a Command
 */
export async function resumeOf(url, interrupts) {
  const answers = interrupts.map(async ({ id, value }) => [id, await answerTo(url, id, value)]);
  return Object.fromEntries(await Promise.all(answers));
}

/** @param {string} url @param {string} id @param {Interrupt["value"]} value */
async function answerTo(url, id, value) {
  if ("actionRequests" in value) return { decisions: await decisionsOn(url, id, value) };
  const asked = Array.isArray(value) ? value : [value];
  return Promise.all(
    asked.map(async ({ action_request, config, description }, nth) => {
      const { action, args } = action_request;
      const ways = ["accept", "edit", "response", "ignore"].filter((way) => config[CONFIG[way] ?? "allow_accept"]);
      const decision = await decide(url, nthId(id, nth), { name: action, args, description }, ways);
      if (decision.way === "accept") return { type: "accept", args: action_request };
      if (decision.way === "ignore") return { type: "ignore", args: null };
      if (decision.way === "response") return { type: "response", args: decision.message };
      return { type: "edit", args: { action, args: decision.args } };
    }),
  );
}

/** @type {Record<string, keyof Config>} */
const CONFIG = { accept: "allow_accept", edit: "allow_edit", response: "allow_respond", ignore: "allow_ignore" };

/** One for each action, in its order. @param {string} url @param {string} id @param {HITLRequest} request */
function decisionsOn(url, id, { actionRequests, reviewConfigs }) {
  return Promise.all(
    actionRequests.map(async (action, nth) => {
      const named = reviewConfigs.find(({ actionName }) => actionName === action.name);
      const { allowedDecisions } = named ?? reviewConfigs[nth] ?? { allowedDecisions: [] };
      const { way, args, message } = await decide(url, nthId(id, nth), action, allowedDecisions);
      if (way === "edit") return { type: way, editedAction: { name: action.name, args } };
      return { type: way, ...(message !== undefined && { message }) };
    }),
  );
}

/**
 * @param {string} url
 * @param {string} id of the question: a graph that is interrupted again for the same asks once
 * @param {Action} action
 * @param {string[]} ways
 * @returns {Promise<Decision>}
 */
async function decide(url, id, { name, args, description = "" }, ways) {
  const shown = JSON.stringify(args, null, 2);
  const options = Object.entries(WAYS).flatMap(([way, texts]) => (ways.includes(way) ? [{ id: way, ...texts }] : []));
  // What is no JSON is asked for again: the graph must not run with arguments that nobody meant.
  for (let problem = "", round = 1; ; round++) {
    const tool_use_id = round === 1 ? id : `${id}/${round}`;
    const edit = { question_id: `${tool_use_id}/edit`, question_text: "Its arguments, as JSON", type: "text" };
    const words = { question_id: `${tool_use_id}/words`, question_text: "What do you say?", type: "text" };
    const saying = ways.filter((way) => SAYING.includes(way));
    const result = await ask(url, {
      tool_use_id,
      agent: "langgraph",
      question_text: `${name}?`,
      description: [problem, description, `\`\`\`json\n${shown}\n\`\`\``].filter(Boolean).join("\n\n"),
      type: "multiple_choice",
      options,
      follow_up_questions: {
        ...(ways.includes("edit") && { edit: [{ ...edit, default: shown }] }),
        ...Object.fromEntries(
          saying.map((way) => [
            way,
            [{ ...words, question_id: `${words.question_id}/${way}`, required: way !== "reject" }],
          ]),
        ),
      },
    });
    // Words instead of a choice: what the graph takes them as, or else the person is asked again.
    if (result.reply !== undefined) {
      const [way] = saying;
      if (way !== undefined) return { way, args, message: result.reply };
      problem = `“${result.reply}” cannot be sent to this agent. Choose what it can do.`;
      continue;
    }
    if (result.outcome !== "answered") throw new Error(result.content);
    const way = String(result.output.answer);
    const followUps = result.output.follow_up_answers ?? {};
    const message = followUps[`${words.question_id}/${way}`];
    const edited = way === "edit" ? parsed(String(followUps[edit.question_id])) : args;
    if (edited) return { way, args: edited, message: typeof message === "string" ? message : undefined };
    problem = "What was written last is not a JSON object.";
  }
}

/** @param {string} id @param {number} nth */
function nthId(id, nth) {
  return nth === 0 ? id : `${id}.${nth + 1}`;
}

/** @param {string} text @returns {Record<string, unknown> | undefined} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const url = process.argv[2] ?? "http://localhost:3000";
  const interrupt = {
    action_request: { action: "send_email", args: { to: "ann@example.com", subject: "Hello" } },
    config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
    description: "The draft is ready.",
  };
  console.log(JSON.stringify(await resumeOf(url, [{ id: `langgraph-${Date.now()}`, value: [interrupt] }])));
}
