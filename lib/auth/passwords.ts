import { hash, verify } from "@node-rs/argon2";
import { invalidRequest } from "../domain/read-input.ts";
import { ParleyError } from "../protocol/errors.ts";
import { isCommon } from "./common-passwords.ts";

/** Argon2id as OWASP recommends: 19 MiB and two passes, 20 ms of one core. The library's own choice of algorithm. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** How many checks run at once, so that guessing cannot occupy all cores, and how many may wait. */
const AT_ONCE = 2;
const WAITING = 20;

let running = 0;
const queue: Array<() => void> = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING)
      throw new ParleyError("rate_limited", "Too many people are signing in right now. Try again in a few seconds.", {
        retry_after: 3,
      });
    await new Promise<void>((resolve) => queue.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    // The next in the queue takes the place over, so that no call that arrives at this moment takes it too.
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), OPTIONS));
}

let nobody: Promise<string> | undefined;

/** Takes equally long for a login that does not exist, so that time tells nobody which logins do. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hash("nobody has this password", OPTIONS);
  const against = stored ?? (await nobody);
  const matches = await inTurn(() => verify(against, normal(password)));
  return matches && stored !== null && stored !== undefined;
}

/** The same characters may be typed as different code points. */
const normal = (password: string): string => password.normalize("NFC");

/** A password that is the login, the name or a common one would be among the first guesses. */
export function requireGoodPassword(password: string, login: string, name: string): void {
  const plain = password.toLowerCase();
  const [mailbox = ""] = login.split("@");
  const isObvious = [login, name.toLowerCase(), mailbox].includes(plain) || new Set(plain).size < 4 || isCommon(plain);
  if (isObvious)
    throw invalidRequest([
      { path: "password", message: "is too easy to guess: choose one that is neither common nor your name or login" },
    ]);
}
