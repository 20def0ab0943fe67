import { join } from "node:path";
import { PATIENT_S } from "../../scripts/throwaway/database.ts";
import type { Agent } from "../agents/agent.ts";
import { type Config, parseConfig } from "../config.ts";
import type { Patience } from "../mcp/wait-with-progress.ts";
import type { Limits } from "../protocol/limits.ts";
import { type ServeOptions, type Serving, serve } from "../serve.ts";
import { portOf } from "./port-of.ts";

export type TestServer = Serving & { url: string; errors: unknown[] };

type Options = Partial<Omit<Config, "limits">> & {
  limits?: Partial<Limits>;
  agents?: Agent[];
  patience?: Patience;
  version?: string;
  pages?: ServeOptions["pages"];
  notifying?: ServeOptions["notifying"];
};

/** Parley on its own port, without its pages by default. `errors` collects unexpected errors, of which a caller gets only the reference. */
export async function testServer(databaseUrl: string, options: Options = {}): Promise<TestServer> {
  const errors: unknown[] = [];
  const { limits, agents = [], patience, version = "0.0.0", pages, notifying, ...settings } = options;
  const plain = parseConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_TIMEOUT_S: String(PATIENT_S),
    ...(settings.publicUrl && { PUBLIC_URL: settings.publicUrl }),
  });
  const serving = await serve({
    config: { ...plain, ...settings, limits: { ...plain.limits, ...limits } },
    root: join(import.meta.dirname, "../.."),
    version,
    agents,
    patience,
    notifying,
    listen: (server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)),
    pages:
      pages ??
      (async () => ({ serve: async (_req, res) => void res.end("a page"), upgrade: () => {}, stop: async () => {} })),
    onError: (error) => errors.push(error),
    onInternal: (_reference, error) => errors.push(error),
  });
  return { ...serving, url: `http://127.0.0.1:${portOf(serving.server)}`, errors };
}
