/** Where a request claims to come from. A `type` of null means no Content-Type. */
export type Address = {
  host?: string | undefined;
  origin?: string | undefined;
  site?: string | undefined;
  mode?: string | undefined;
  type?: string | null | undefined;
};

/** The header lines of such a request. */
export function headOf({ host, origin, site, mode }: Address): string[] {
  return [
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]),
    ...(mode === undefined ? [] : [`Sec-Fetch-Mode: ${mode}`]),
  ];
}

/** Types that a page can post without a preflight, and others that are not JSON. */
export const mediaTypes: ReadonlyArray<string | null> = [
  null,
  "text/plain",
  "text/plain;charset=UTF-8",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/json",
  "application/xml",
  "text/plain, application/json",
  "application/jsonp",
];

/** All combinations of own and foreign host names, origins and sites. */
export function addresses(port: number): Address[] {
  const hosts = [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    "evil.example",
    `evil.example:${port}`,
    "localhost",
    `localhost:${port + 1}`,
    `localhost.:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `127.0.0.1.:${port}`,
    `localhost.evil.example:${port}`,
    `0.0.0.0:${port}`,
    `localhost:${port}.evil.example`,
    `evil@localhost:${port}`,
    "",
    undefined,
  ];
  const origins = [
    undefined,
    `http://localhost:${port}`,
    "null",
    "http://evil.example",
    `http://localhost:${port + 1}`,
    `https://localhost:${port}`,
    `http://localhost.:${port}`,
    `http://localhost:${port}.evil.example`,
    `http://localhost:${port}, http://evil.example`,
    "",
  ];
  const sites = [undefined, "same-origin", "none", "same-site", "cross-site", "elsewhere"];
  return hosts.flatMap((host) => origins.flatMap((origin) => sites.map((site) => ({ host, origin, site }))));
}

/** Whether a request comes from Parley's own pages or from a program. Deliberately not taken from the product. */
export function isOwn({ host, origin, site }: Address, port: number): boolean {
  const ownHost = host === `localhost:${port}` || host === `127.0.0.1:${port}` || host === `[::1]:${port}`;
  const ownOrigin = origin === undefined || origin === `http://${host}`;
  const ownSite = site === undefined || site === "same-origin" || site === "none";
  return ownHost && ownOrigin && ownSite;
}
