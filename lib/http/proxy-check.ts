import type { IncomingMessage } from "node:http";
import { ParleyError } from "../protocol/errors.ts";

/** Headers that proxies and tunnels add. No browser, agent or page of Parley sends any of them. */
const OF_PROXIES = /^(?:forwarded$|x-forwarded-|x-real-ip$|via$|cf-|tailscale-user-)/;

/** Returns why a request is refused. */
export type ProxyCheck = (request: IncomingMessage) => ParleyError | undefined;

/**
 * While nobody has an account, anyone who can connect may do everything, because only programs on this machine can. A proxy
 * on this machine would extend that to anyone who reaches the proxy, so requests that reveal one are refused. nginx adds no
 * header by default, but it speaks HTTP/1.0, which nothing else does.
 */
export function createProxyCheck(isOpen: () => boolean): ProxyCheck {
  return (request) => {
    if (!isOpen()) return undefined;
    const sign = signOfProxy(request);
    return sign === undefined ? undefined : refusal(sign);
  };
}

function signOfProxy({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): string | undefined {
  if (httpVersionMajor < 1 || (httpVersionMajor === 1 && httpVersionMinor === 0)) return "HTTP/1.0";
  for (const name in headers) if (OF_PROXIES.test(name)) return `the header ${name}`;
  return undefined;
}

/** The only place that says what to do about a proxy. */
function refusal(sign: string): ParleyError {
  return new ParleyError(
    "forbidden",
    `Parley is behind a proxy (${sign}), so anyone who reaches the proxy could answer. Create the first account with \`npm run team\` or \`parley team\`, and set PUBLIC_URL to the address of the proxy; or connect to Parley directly.`,
  );
}
