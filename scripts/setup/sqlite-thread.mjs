// @ts-check
// Runs lib/db/sqlite-thread.ts from its source, in development and in tests: in a thread, Node does not load TypeScript even
// if the main thread does.
import { register } from "tsx/esm/api";

register();
await import("../../lib/db/sqlite-thread.ts");
