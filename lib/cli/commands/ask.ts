import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { type Client, ClientError } from "../../client.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { AskView } from "../../protocol/ask.ts";
import { pickOnce } from "../asking/create-asker.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { hubUrl } from "../terminal/hub-url.ts";
import { readArgument, validationFailed } from "../terminal/json-argument.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Run, type Terminal, type Values } from "../terminal/terminal.ts";

const FIRST_CONTACT_MS = 1_500;
/** How long to retry while Parley is away. */
const AWAY_MS = 15 * 60_000;
const WAIT_S = 55;

/** Asks through Parley and waits until anyone answers. */
export const run: Run = async (terminal, args, values) => {
  if (values.local) return (await import("./ask-local.ts")).run(terminal, args, values);
  const argument = args[0] === "-" ? await text(terminal.input) : args[0];
  const body =
    typeof values.skill === "string" ? bySkill(values.skill, values.var) : await readArgument(argument, "parley ask");
  const request = requestOf(body, values);
  const hub = createTerminalClient(terminal, "agent");
  const asked = await keepTrying(() => hub.call("ask", { body: request }), { forMs: FIRST_CONTACT_MS }).catch(refused);
  const settled = asked.ask.result ? asked.ask : await waitFor(terminal, hub, asked.ask, request.idempotency_key);
  return tell(terminal, settled, values.json === true);
};

/** Creates the ask with an idempotency key, so that a retry after a lost reply finds the same question. */
function requestOf({ wait: _, ...body }: JsonObject, { session, agent, title, key, irreversible }: Values) {
  const given = typeof body.idempotency_key === "string" ? body.idempotency_key : undefined;
  return {
    agent: "cli",
    ...("questions" in body && { dialect: "shell" as const }),
    ...body,
    ...(typeof session === "string" && { session_id: session }),
    ...(typeof agent === "string" && { agent }),
    ...(typeof title === "string" && { title }),
    ...(irreversible === true && { irreversible }),
    idempotency_key: typeof key === "string" ? key : (given ?? `cli-${randomUUID()}`),
  };
}

function bySkill(skill: string, given: Values[string]): JsonObject {
  const pairs = (Array.isArray(given) ? given : []).map((one) => String(one));
  const wrong = pairs.find((pair) => !pair.includes("="));
  if (wrong !== undefined) throw new CommandExit(EXIT.badInput, `--var ${wrong} is not of the form NAME=VALUE.`);
  return { skill, variables: Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s))) };
}

function refused(error: unknown): never {
  const problems = error instanceof ClientError ? error.details?.problems : undefined;
  throw problems ? validationFailed(problems) : error;
}

async function waitFor(terminal: Terminal, hub: Client, ask: AskView, key: string): Promise<AskView> {
  // Install before printing: the reader may press Ctrl-C immediately.
  const interrupted = onInterrupt();
  const { session_id, tool_use_id, round, total_rounds } = ask;
  const where = `${hubUrl(terminal)}/conversations/${encodeURIComponent(session_id)}`;
  terminal.say(
    `Round ${round}/${total_rounds}: waiting for an answer at ${where} or by: parley answer ${shellWord(tool_use_id)}`,
  );
  let known = ask;
  try {
    while (!known.result) {
      const { signal } = interrupted;
      let wait = WAIT_S;
      const read = () => hub.call("readAsk", { params: { tool_use_id }, query: { session_id, wait }, signal });
      const onTrouble = (error: Error) => {
        terminal.say(`${error.message} The question is kept; trying again.`);
        // While Parley is away, use short calls, which fail quickly.
        wait = 0;
      };
      try {
        known = (await keepTrying(read, { forMs: AWAY_MS, signal, onTrouble })).ask;
      } catch (error) {
        if (!signal.aborted) throw error;
        interrupted.reset();
        known = await decide(terminal, hub, known, key);
      }
    }
    return known;
  } finally {
    interrupted.stop();
  }
}

/** On Ctrl-C the question can stay open without its waiter. */
async function decide(terminal: Terminal, hub: Client, ask: AskView, key: string): Promise<AskView> {
  const left = new CommandExit(
    EXIT.cancelled,
    `The question stays open. To wait for it again, ask again with: --key ${shellWord(key)}`,
  );
  if (!terminal.interactive) throw left;
  const choices = [
    { value: "wait", label: "Go on waiting" },
    { value: "leave", label: "Leave the question open" },
    { value: "cancel", label: "Cancel the question" },
  ];
  const choice = await pickOnce(terminal, "Stop waiting?", choices);
  if (choice === "wait") return ask;
  if (choice !== "cancel") throw left;
  const { session_id, tool_use_id } = ask;
  const cancel = () => hub.call("cancel", { body: { session_id, tool_use_id, reason: "cancelled at the terminal" } });
  return keepTrying(cancel, { forMs: FIRST_CONTACT_MS }).then(
    (cancelled) => cancelled.ask,
    (error) => {
      // Someone else has just settled it; report that instead.
      if (error instanceof ClientError && ["duplicate_answer", "question_closed"].includes(error.code)) return ask;
      throw error;
    },
  );
}

function tell(terminal: Terminal, ask: AskView, whole: boolean): number {
  const { result } = ask;
  if (!result) throw new Error("An ask that is settled has a result.");
  // A reply is printed like an answer: it says itself that it is none of the options.
  const isAnswered = result.outcome === "answered" || result.outcome === "replied";
  const defaults = result.decided_by.kind === "default";
  if (whole) terminal.print(`${JSON.stringify(ask)}\n`);
  else if (isAnswered || defaults) terminal.print(`${JSON.stringify(result.output)}\n`);
  if (isAnswered) return EXIT.answered;
  terminal.say(result.content);
  return result.outcome === "cancelled" ? EXIT.cancelled : EXIT.timedOut;
}

function onInterrupt() {
  let controller = new AbortController();
  const abort = () => controller.abort();
  process.on("SIGINT", abort);
  return {
    get signal() {
      return controller.signal;
    },
    reset: () => {
      controller = new AbortController();
    },
    stop: () => process.off("SIGINT", abort),
  };
}
