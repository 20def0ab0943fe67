import type { Hub } from "../lib/hub/hub.ts";

export type Runtime = {
  hub: Hub;
  version: string;
  /** The built-in agents of this process. */
  agents: Array<{ name: string; about: string }>;
  /** Whether the gallery page is enabled. */
  gallery: boolean;
};

const KEY = Symbol.for("parley");
type Shared = { [KEY]?: Runtime };

/** Shares the hub with the pages: the server and the pages load separate copies of every module. */
export function shareRuntime(runtime: Runtime): void {
  (globalThis as Shared)[KEY] = runtime;
}

export function sharedRuntime(): Runtime {
  const runtime = (globalThis as Shared)[KEY];
  if (!runtime)
    throw new Error("Parley's pages run only behind its own server: start it with npm start or npm run dev.");
  return runtime;
}
