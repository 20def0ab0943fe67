/** As whom a request comes; null as its type: without one. */
export type Address = {
  host?: string | undefined;
  origin?: string | undefined;
  site?: string | undefined;
  mode?: string | undefined;
  type?: string | null | undefined;
};

/** The lines of a request that say so. */
export function headOf({ host, origin, site, mode }: Address): string[] {
  return [
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]),
    ...(mode === undefined ? [] : [`Sec-Fetch-Mode: ${mode}`]),
  ];
}

/** What a page can post without being asked, and what is not JSON in other ways. */
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

/** Own and foreign names, origins and sites in all combinations. */
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

/** Written down again on purpose, not taken from the product: a request of Parley's own pages, or of a program. */
export function isOwn({ host, origin, site }: Address, port: number): boolean {
  const ownHost = host === `localhost:${port}` || host === `127.0.0.1:${port}` || host === `[::1]:${port}`;
  const ownOrigin = origin === undefined || origin === `http://${host}`;
  const ownSite = site === undefined || site === "same-origin" || site === "none";
  return ownHost && ownOrigin && ownSite;
}
