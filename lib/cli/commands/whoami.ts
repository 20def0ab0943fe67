import { stripControls } from "../../domain/clean-text.ts";
import type { Me, Mode } from "../../protocol/sign-in.ts";
import { type Credential, credentialFor } from "../terminal/credentials.ts";
import { createPlainClient } from "../terminal/hub-client.ts";
import { hubUrl } from "../terminal/hub-url.ts";
import { storedKeys } from "../terminal/keys-file.ts";
import { rightsInWords } from "../terminal/rights-in-words.ts";
import { notSignedIn } from "../terminal/sign-in.ts";
import { EXIT, type Run, type Terminal } from "../terminal/terminal.ts";
import { clockTime } from "../terminal/when.ts";
import { wrapped } from "../terminal/wrap.ts";

const MODES: Record<Mode, string> = {
  open: "nobody has an account, and anyone on its machine may do everything",
  setup: "nobody has an account yet",
  team: "people sign in",
};

type Recognised = { credential: Credential; me: Me };

/** Says who calls: the agents on this machine, the person at this terminal, or both. */
export const run: Run = async (terminal, _args, { json }) => {
  const url = hubUrl(terminal);
  const { mode } = await createPlainClient(terminal, "agent").call("me", {});
  const known = mode === "team" ? await whoIsKnown(terminal) : [];
  const works = known.filter(({ me }) => me.person ?? me.key);
  if (json) terminal.print(`${JSON.stringify({ url, mode, known: works.map(({ me }) => me) })}\n`);
  else {
    terminal.print(`Parley at ${url}: ${MODES[mode]}.\n`);
    for (const one of works) terminal.print(`${wrapped(sentence(terminal, one), terminal.stdout)}\n`);
  }
  if (mode === "open" || works.length > 0) return EXIT.answered;
  throw notSignedIn(terminal, "either");
};

/** What each key and session of this machine is worth. */
async function whoIsKnown(terminal: Terminal): Promise<Recognised[]> {
  const known: Recognised[] = [];
  for (const caller of ["agent", "person"] as const) {
    const credential = credentialFor(terminal, caller);
    if (!credential || known.some((one) => one.credential.secret === credential.secret)) continue;
    known.push({ credential, me: await createPlainClient(terminal, caller).call("me", {}) });
  }
  return known;
}

function sentence(terminal: Terminal, { credential, me }: Recognised): string {
  const { person, key, rights, spaces } = me;
  const may = rightsInWords(rights);
  const names = spaces.map(({ name }) => stripControls(name)).join(", ");
  if (key) return `Agents here are ${stripControls(key.agent ?? key.name)}, in the space ${names}. They may ${may}.`;
  const { name = "", login = "", role = "" } = person ?? {};
  const session = storedKeys(terminal, hubUrl(terminal)).person;
  const isSession = session?.token === credential.secret;
  const how = isSession ? `until ${clockTime(session.expires_at, Date.now())}` : "with PARLEY_KEY";
  const who = `${stripControls(name)} (${stripControls(login)}), ${role}`;
  return `You are ${who}, ${how}. You may ${may.replace("their account", "your account")}. You see: ${names}.`;
}
