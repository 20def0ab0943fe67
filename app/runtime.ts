import type { Hub } from "../lib/hub/hub.ts";

export type Runtime = {
  hub: Hub;
  version: string;
  /** The agents that this process runs. */
  agents: Array<{ name: string; about: string }>;
  /** Whether the page with every state of a card is there. */
  gallery: boolean;
};

const KEY = Symbol.for("parley");
type Shared = { [KEY]?: Runtime };

/** The server and the pages load separate copies of every module; this is how the pages find the one hub. */
export function shareRuntime(runtime: Runtime): void {
  (globalThis as Shared)[KEY] = runtime;
}

export function sharedRuntime(): Runtime {
  const runtime = (globalThis as Shared)[KEY];
  if (!runtime)
    throw new Error("Parley's pages run only behind its own server: start it with npm start or npm run dev.");
  return runtime;
}
