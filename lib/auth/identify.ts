import type { IncomingHttpHeaders } from "node:http";
import type { Actor, Provenance, Surface } from "../protocol/actor.ts";
import { beginning } from "../protocol/characters.ts";
import { NO_NAME } from "../protocol/no-name.ts";

// The only place that creates actors. Everybody who can reach this Parley may do everything a person can, under any name;
// a program that calls tools may only ask. Each door calls the one function that is meant for it.

/** Whether the caller is a browser that opened a page here. */
type IsBrowser = (headers: IncomingHttpHeaders) => boolean;

export type Identify = {
  /** Who sends an HTTP request: a person, or a program on behalf of one. */
  request: (headers: IncomingHttpHeaders) => Actor;
  /** Who opens a socket. `name` comes from its address, because browsers cannot send headers of their own with a socket. */
  socket: (headers: IncomingHttpHeaders, name: unknown) => Actor;
};

export function createIdentify(isBrowser: IsBrowser): Identify {
  const provenanceOf = (headers: IncomingHttpHeaders) => (isBrowser(headers) ? "browser" : "none");
  return {
    request: (headers) => person(nameIn(headers), surfaceOf(headers), RIGHTS, provenanceOf(headers)),
    socket: (headers, name) => person(plainName(String(name ?? "")), "socket", RIGHTS, provenanceOf(headers)),
  };
}

/** Who visits a page. Pages only read. */
export function identifyVisitor(headers: IncomingHttpHeaders): Actor {
  const { unnamed: _, ...visitor } = person(nameIn(headers), "browser", ["read"]);
  return visitor;
}

/** An agent that calls tools. It may ask, wait and cancel its own questions; it may never answer. */
export function identifyToolCaller(): Actor {
  return TOOL_CALLER;
}

/** The client of an agent, which shows a form and says how a person filled it in; `by` is that person's name, if it is known. */
export function identifyFormReporter(headers: IncomingHttpHeaders): { actor: Actor; by: string | undefined } {
  return { actor: FORM_REPORTER, by: nameIn(headers) || undefined };
}

/** An agent that Parley runs itself. */
export function identifyBuiltInAgent(name: string): Actor {
  return { kind: "agent", name, surface: "agent", rights: ["ask", "read"] };
}

/** The caller as the agent that asks: over HTTP, whoever asks does so as an agent, and no person has decided anything. */
export function asAgent(actor: Actor): Actor {
  return { ...actor, kind: "agent", provenance: undefined };
}

/** The actor without all rights but reading. */
export function asReader(actor: Actor): Actor {
  return { ...actor, rights: actor.rights.filter((right) => right === "read") };
}

/** What everybody may do who is not asked to sign in. */
const RIGHTS: Actor["rights"] = ["ask", "answer", "read", "report"];
const TOOL_CALLER: Actor = { kind: "agent", name: NO_NAME, unnamed: true, surface: "mcp", rights: ["ask", "read"] };
const FORM_REPORTER: Actor = { kind: "agent", name: NO_NAME, unnamed: true, surface: "mcp", rights: ["report"] };

function person(name: string, surface: Surface, rights: Actor["rights"], provenance?: Provenance): Actor {
  if (name === "") return { kind: "person", name: NO_NAME, unnamed: true, surface, provenance, rights };
  return { kind: "person", name, surface, provenance, rights };
}

function surfaceOf(headers: IncomingHttpHeaders): Surface {
  // Only browsers send this header, and pages cannot forge it.
  if (headers["sec-fetch-site"] === "same-origin") return "browser";
  return headers["x-parley-surface"] === "cli" ? "cli" : "rest";
}

/** The name that the caller gives itself, percent-encoded because a header cannot carry every character. */
function nameIn(headers: IncomingHttpHeaders): string {
  const name = headers["x-parley-name"];
  return name ? plainName(decodeURIComponentSafely(String(name))) : "";
}

/** A name as the record may have it. */
export function plainName(text: string): string {
  return beginning(text.replace(/[^\p{L}\p{N} ._@-]/gu, "").trim(), 100);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
