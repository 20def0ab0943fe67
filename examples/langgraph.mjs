// @ts-check
// LangGraph: what `interrupt([HumanInterrupt])` asks becomes a question in Parley, its answer the HumanResponse[] that
// the graph is resumed with:
//
//   const run = await graph.invoke(input, config);
//   for (const { id, value } of run.__interrupt__ ?? [])
//     await graph.invoke(new Command({ resume: await askAboutInterrupt(url, id, value[0]) }), config);
//
// node examples/langgraph.mjs [http://localhost:3000]
import { pathToFileURL } from "node:url";
import { ask } from "./parley.mjs";

/**
 * @typedef {{ action: string, args: Record<string, unknown> }} ActionRequest
 * @typedef {Partial<Record<"allow_accept" | "allow_edit" | "allow_respond" | "allow_ignore", boolean>>} Config
 * @typedef {{ action_request: ActionRequest, config: Config, description?: string }} HumanInterrupt
 * @typedef {{ type: "accept" | "edit", args: ActionRequest } | { type: "response", args: string } | { type: "ignore", args: null }} HumanResponse
 */

/**
 * @param {string} url of Parley
 * @param {string} id of the interrupt: a graph that is resumed twice asks once
 * @param {HumanInterrupt} interrupt
 * @returns {Promise<HumanResponse[]>}
 */
export async function askAboutInterrupt(url, id, { action_request, config, description = "" }) {
  const { action, args } = action_request;
  const options = [
    { id: "accept", label: "Accept", description: "Do it as it stands", allowed: config.allow_accept },
    { id: "edit", label: "Edit", description: "Do it with other arguments", allowed: config.allow_edit },
    { id: "response", label: "Respond", description: "Say something instead", allowed: config.allow_respond },
    { id: "ignore", label: "Ignore", description: "Leave it", allowed: config.allow_ignore },
  ].flatMap(({ allowed, ...option }) => (allowed ? [option] : []));
  const shown = JSON.stringify(args, null, 2);

  // What is no JSON is asked for again: the graph must not run with arguments that nobody meant.
  for (let problem = "", round = 1; ; round++) {
    const tool_use_id = round === 1 ? id : `${id}/${round}`;
    const result = await ask(url, {
      tool_use_id,
      agent: "langgraph",
      question_text: `${action}?`,
      description: [problem, description, `\`\`\`json\n${shown}\n\`\`\``].filter(Boolean).join("\n\n"),
      type: "multiple_choice",
      options,
      follow_up_questions: {
        edit: [
          { question_id: `${tool_use_id}/edit`, question_text: "Its arguments, as JSON", type: "text", default: shown },
        ],
        response: [{ question_id: `${tool_use_id}/response`, question_text: "What do you say?", type: "text" }],
      },
    });
    if (result.outcome !== "answered") throw new Error(result.content);
    const { answer, follow_up_answers: followUps = {} } = result.output;
    if (answer === "accept") return [{ type: "accept", args: action_request }];
    if (answer === "ignore") return [{ type: "ignore", args: null }];
    if (answer === "response") return [{ type: "response", args: String(followUps[`${tool_use_id}/response`]) }];
    const edited = parsed(String(followUps[`${tool_use_id}/edit`]));
    if (edited) return [{ type: "edit", args: { action, args: edited } }];
    problem = "What was written last is not a JSON object.";
  }
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
  console.log(JSON.stringify(await askAboutInterrupt(url, `langgraph-${Date.now()}`, interrupt)));
}
