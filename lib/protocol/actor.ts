import { z } from "zod";

export const Surface = z.enum(["browser", "socket", "rest", "mcp", "cli", "agent", "deadline", "import", "system"]);
export type Surface = z.infer<typeof Surface>;

/** Asking and answering are different rights from the first day, though a lone local user has both. */
export const Right = z.enum(["ask", "answer", "read"]);
export type Right = z.infer<typeof Right>;

/** Who decided or did something, as it is stored and shown. */
export const DecidedBy = z.object({
  kind: z
    .enum(["person", "agent", "default", "system"])
    .describe("`default`: nobody answered and the ask's defaults were taken. `system`: Parley itself."),
  name: z.string().describe("Who, as they call themselves."),
  surface: Surface.describe("From where."),
});
export type DecidedBy = z.infer<typeof DecidedBy>;

export type Actor = DecidedBy & { rights: readonly Right[] };

/** Every use case is called with who acts and what time it is; nothing below the doors reads a clock or a session. */
export type Call = { actor: Actor; now: number };

export const SYSTEM: Actor = { kind: "system", name: "parley", surface: "system", rights: ["ask", "answer", "read"] };
