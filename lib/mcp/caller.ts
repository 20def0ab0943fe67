import { randomUUID } from "node:crypto";
import { CLIENT_INFO_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { cleanText } from "../domain/clean-text.ts";
import type { Caller } from "../hub/asks/ask-again.ts";
import { AskOptions } from "../protocol/question.ts";

/** Fields that identify a call when it is sent again: set by Claude Code, and by the bridge of `parley mcp`. */
const SAME_CALL = ["claudecode/toolUseId", "parley/callId"];
/** Fields that identify one conversation of a program: set by Codex, and by `parley mcp` for the program that started it. */
const SAME_THREAD = ["threadId", "parley/threadId"];
const Id = AskOptions.shape.tool_use_id;
const ClientInfo = z.object({ name: z.string() });

/** Who calls: as every call of the 2026 protocol says, else by the session from `initialize`, else by the user agent. */
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
    thread: idIn(meta, SAME_THREAD) ?? validId(session),
  };
}

/**
 * The session id of a client of the 2025 protocols. It names the client, so that nothing has to be stored: the id works
 * after a restart and on other nodes.
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

/** The name of the program; that of a runtime or a library says nothing about it. */
function product(userAgent: string): string | undefined {
  const name = /^([a-z][\w.-]{1,60})\//i.exec(userAgent)?.[1];
  return name === undefined || /^(node|undici|python|mozilla|bun|deno)/i.test(name) ? undefined : name.toLowerCase();
}

function idIn(meta: Record<string, unknown>, keys: string[]): string | undefined {
  return keys.map((key) => validId(meta[key])).find((id) => id !== undefined);
}

/** Ignores what cannot be an id: the agent did not write it and could not correct it. */
function validId(id: unknown): string | undefined {
  return typeof id === "string" ? Id.safeParse(cleanText(id)).data : undefined;
}
