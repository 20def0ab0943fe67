import { randomUUID } from "node:crypto";
import { CLIENT_INFO_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { cleanText } from "../domain/clean-text.ts";
import type { Caller } from "../hub/asks/ask-again.ts";
import { AskOptions } from "../protocol/question.ts";

/** What stays the same when a call is sent again: set by Claude Code, and by the bridge of `parley mcp`. */
const SAME_CALL = ["claudecode/toolUseId", "parley/callId"];
/** One conversation of a program: set by Codex, and by `parley mcp` for the one program that started it. */
const SAME_THREAD = ["threadId", "parley/threadId"];
const Id = AskOptions.shape.tool_use_id;
const ClientInfo = z.object({ name: z.string() });

/** Who calls: by what comes with every call of 2026, else by the session that `initialize` handed out, else by its user agent. */
export function callerOf({ mcpReq, http }: ServerContext): Caller {
  const meta = mcpReq._meta ?? {};
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const headers = http?.req?.headers;
  const session = headers?.get("mcp-session-id") ?? undefined;
  const userAgent = headers?.get("user-agent") ?? "";
  const agent = nameIn(envelope[CLIENT_INFO_META_KEY]) ?? nameInSession(session) ?? product(userAgent) ?? "mcp";
  return {
    agent,
    call: idIn(meta, SAME_CALL),
    thread: idIn(meta, SAME_THREAD) ?? usable(session),
    client: JSON.stringify([agent, userAgent, headers?.get("x-parley-name") ?? ""]),
  };
}

/**
 * The session of a client of the 2025 protocols. It says who the client is, so that nothing has to be remembered: it is
 * as good after a restart, and at another node.
 */
export function newSession(clientInfo: unknown): string {
  return `${nameIn(clientInfo) ?? "mcp"}~${randomUUID()}`;
}

function nameInSession(session: string | undefined): string | undefined {
  return /^([a-z0-9][a-z0-9._-]{0,59})~/.exec(session ?? "")?.[1];
}

function nameIn(clientInfo: unknown): string | undefined {
  const name = ClientInfo.safeParse(clientInfo).data?.name;
  if (name === undefined) return undefined;
  const plain = name.toLowerCase().replace(/[^a-z0-9._]+/g, "-");
  return plain.replace(/^[^a-z0-9]+|-+$/g, "").slice(0, 60) || undefined;
}

/** A runtime's or a library's own name says nothing about the program. */
function product(userAgent: string): string | undefined {
  const name = /^([a-z][\w.-]{1,60})\//i.exec(userAgent)?.[1];
  return name === undefined || /^(node|undici|python|mozilla|bun|deno)/i.test(name) ? undefined : name.toLowerCase();
}

function idIn(meta: Record<string, unknown>, keys: string[]): string | undefined {
  return keys.map((key) => usable(meta[key])).find((id) => id !== undefined);
}

/** The agent did not write it and could not correct it: what cannot be an id is ignored. */
function usable(id: unknown): string | undefined {
  return typeof id === "string" ? Id.safeParse(cleanText(id)).data : undefined;
}
