import type { Role } from "../../protocol/people.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";
import { clockTime } from "../terminal/when.ts";

/** Prints a link that lets someone create an account. */
export const run: Run = async (terminal, [login, ...more], { role, json }) => {
  if (more.length > 0) throw new CommandExit(EXIT.badInput, "Usage: parley invite [LOGIN] [--role ROLE]");
  const wanted = role ?? "member";
  if (!isRole(wanted)) throw new CommandExit(EXIT.badInput, `--role ${role} is none of admin, member and viewer.`);
  const body = { role: wanted, ...(login !== undefined && { login }) };
  const reply = await createTerminalClient(terminal, "person").call("createInvitation", { body });
  const { expires_at } = reply.invitation;
  const who = login === undefined ? "the first person to open it" : login;
  terminal.say(
    `This link makes ${who} ${ARTICLES[wanted]}. It works once, until ${clockTime(expires_at, Date.now())}:`,
  );
  terminal.print(`${json ? JSON.stringify({ url: reply.url, invitation: reply.invitation }) : reply.url}\n`);
  return EXIT.answered;
};

const ARTICLES: Record<Role, string> = { admin: "an admin", member: "a member", viewer: "a viewer" };

function isRole(text: unknown): text is Role {
  return typeof text === "string" && Object.hasOwn(ARTICLES, text);
}
