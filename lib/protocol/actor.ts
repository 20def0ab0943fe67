import { z } from "zod";

export const Surface = z.enum(["browser", "socket", "rest", "mcp", "cli", "agent", "deadline", "import", "system"]);
export type Surface = z.infer<typeof Surface>;

/** Asking and answering are separate rights, even though a single local user has both. */
export const Right = z.enum(["ask", "answer", "read"]);
export type Right = z.infer<typeof Right>;

/** Who did something, as stored and shown. */
export const DecidedBy = z.object({
  kind: z
    .enum(["person", "agent", "default", "system"])
    .describe("`default`: nobody answered and the ask's defaults were taken. `system`: Parley itself."),
  name: z.string().describe("The name they go by."),
  surface: Surface.describe("Where they did it."),
});
export type DecidedBy = z.infer<typeof DecidedBy>;

export type Actor = DecidedBy & { rights: readonly Right[] };

/** Every use case gets the actor and the time; nothing below the entry points reads a clock or a session. */
export type Call = { actor: Actor; now: number };

export const SYSTEM: Actor = { kind: "system", name: "parley", surface: "system", rights: ["ask", "answer", "read"] };
