import { ParleyError } from "../protocol/errors.ts";

export type Addressed = {
  method: string;
  path: string;
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
  fetchMode: string | undefined;
};

/**
 * Lets only Parley's own pages call it from a browser. A page under a name that was made to point
 * here (DNS rebinding) fails on Host; any other page fails on Origin or Sec-Fetch-Site. Programs send neither.
 */
export function createOriginCheck(
  port: () => number,
  publicUrl: string | undefined,
  scheme: "http" | "https" = "http",
): (request: Addressed) => ParleyError | undefined {
  const proxy = publicUrl === undefined ? undefined : new URL(publicUrl);
  // Computed once: reading the port of the socket costs a system call.
  let names: string[] | undefined;

  return function check({ method, path, host, origin, fetchSite, fetchMode }) {
    names ??= localNames(port(), scheme);
    const local = host !== undefined && names.includes(host.toLowerCase());
    const isProxied = proxy !== undefined && host?.toLowerCase() === proxy.host;
    if (!local && !isProxied) {
      return new ParleyError(
        "forbidden",
        "Parley does not serve this host name. Use the address it printed at start, or set PUBLIC_URL.",
      );
    }
    const own = isProxied ? proxy.origin : `${scheme}://${host}`.toLowerCase();
    if (origin !== undefined && origin.toLowerCase() !== own) {
      return new ParleyError("forbidden", "Pages from another origin may not call Parley.");
    }
    if (fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none") return undefined;
    // Following a link to a page is fine from anywhere; no GET changes anything.
    const isPage = !path.startsWith("/api/") && !path.startsWith("/socket.io/");
    const isVisit = (method === "GET" || method === "HEAD") && fetchMode === "navigate" && isPage;
    return isVisit ? undefined : new ParleyError("forbidden", "Pages from another site may not call Parley.");
  };
}

function localNames(port: number, scheme: "http" | "https"): string[] {
  const usual = scheme === "https" ? 443 : 80;
  return ["localhost", "127.0.0.1", "[::1]"].map((name) => (port === usual ? name : `${name}:${port}`));
}
