/** What the page process must know. The main process passes it on as the only argument. */
export type PageSettings = {
  /** Where `.next`, or in development the sources of the pages, are. */
  root: string;
  development: boolean;
  hostname: string;
  port: number;
  version: string;
  /** The built-in agents. */
  agents: Array<{ name: string; about: string }>;
  /** Whether the gallery page is enabled. */
  gallery: boolean;
  /** The private folder of both sockets. */
  folder: string;
  /** Here the page process listens. */
  pagesSocket: string;
  /** Here the page process reads from the hub. */
  hubSocket: string;
};

/** The settings of this page process. */
export function pageSettings(): PageSettings {
  const [, , text] = process.argv;
  if (!text?.startsWith("{"))
    throw new Error(
      "Parley's pages run only behind its own server: start it with npm start, parley serve or npm run dev.",
    );
  return JSON.parse(text);
}
