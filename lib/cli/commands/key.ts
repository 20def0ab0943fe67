import { credentialFor } from "../terminal/credentials.ts";
import { atHub, hubAddress } from "../terminal/hub-url.ts";
import { notSignedIn } from "../terminal/sign-in.ts";
import { EXIT, type Run } from "../terminal/terminal.ts";

/** Prints the header that carries the key of this machine, as the `headersHelper` of Claude Code does. */
export const run: Run = async (terminal, _args, { url, raw }) => {
  const here = typeof url === "string" ? atHub(terminal, hubAddress(url)) : terminal;
  const credential = credentialFor(here, "agent");
  if (!credential) throw notSignedIn(here, "agent");
  const { secret } = credential;
  terminal.print(`${raw ? secret : JSON.stringify({ Authorization: `Bearer ${secret}` })}\n`);
  return EXIT.answered;
};
