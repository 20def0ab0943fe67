import { z } from "zod";

export const Surface = z.enum([
  "browser",
  "socket",
  "rest",
  "mcp",
  "cli",
  "slack",
  "agent",
  "deadline",
  "import",
  "system",
]);
export type Surface = z.infer<typeof Surface>;

/**
 * Asking and answering are separate rights, even though a single local user has both. `report`: report what a person decided
 * where Parley could not see it. `account`: change one's own account, which a key cannot do. `run`: start agents that work
 * on Parley's own machine. `observe`: read metrics and export the audit record. `notify`: manage one's own notifications and see what was sent.
 * `manage`: decide who may use Parley. `enrol`: add a passkey, because the team requires a stronger sign-in than this one.
 */
export const Right = z.enum([
  "ask",
  "answer",
  "read",
  "report",
  "account",
  "run",
  "observe",
  "notify",
  "manage",
  "enrol",
]);
export type Right = z.infer<typeof Right>;

/** The rights that an entry point accepts; the caller needs one of them. */
export type Rights = readonly [Right, ...Right[]];
/** The rights that an operation accepts, or `anyone`. */
export type Needs = Rights | "anyone";

/** How Parley knows who decided. */
export const Provenance = z.enum(["sign_in", "passkey", "api_key", "slack", "browser", "none", "reported"]);
export type Provenance = z.infer<typeof Provenance>;

/** Who did something, as stored and shown. */
export const DecidedBy = z.object({
  kind: z
    .enum(["person", "agent", "default", "system"])
    .describe("`default`: nobody answered and the ask's defaults were taken. `system`: Parley itself."),
  name: z.string().describe("The name they go by."),
  surface: Surface.describe("Where they did it."),
  provenance: Provenance.optional().describe(
    "How Parley knows that a person did it. `browser`: a browser that opened a page here. `none`: a program; nothing more is known about it. `reported`: the agent's own terminal or form says so. `sign_in`, `passkey`, `api_key`, `slack`: a person who proved who they are. Absent in older records, and if no person did it.",
  ),
  id: z.string().optional().describe("The account or key they used; absent if they used none."),
});
export type DecidedBy = z.infer<typeof DecidedBy>;

/** What an actor can see: everything, the conversations in some spaces, or those of one agent key. */
export type Scope = "all" | { readonly spaces: readonly string[] } | { readonly key: string };

/** Proofs of who someone is that nobody can guess or pass on by mistake. */
export const StrongProof = z.enum(["passkey", "oidc", "proxy"]);
export type StrongProof = z.infer<typeof StrongProof>;

/** The session of a person who signed in: which it is, and when and how they have proved in it who they are. */
export type ActorSession = {
  readonly id: string;
  readonly confirmed_at: number;
  readonly proof: StrongProof | null;
  /** The session at the identity provider that it came from. */
  readonly sid: string | null;
  /** Whether an invitation or a reset link began it. */
  readonly isByLink: boolean;
};

/** The caller. `lib/auth` creates every actor; all other code receives it as an argument. */
export type Actor = DecidedBy & {
  rights: readonly Right[];
  /** Undefined while nobody has an account: the actor sees everything. */
  scope?: Scope;
  /** The caller's key and what it is bound to. */
  key?: ActorKey;
  /** `proxy`: a proxy signs the person in, and decides how long that lasts. */
  session?: ActorSession | "proxy";
  /** Set if the caller gave no name; `name` is then only a placeholder for the record. */
  unnamed?: true;
};

/** The parts of an agent key that decide what the agent may do. */
export type ActorKey = {
  readonly id: string;
  readonly space_id: string;
  readonly agent: string | null;
  readonly owner_id: string | null;
};

/** Every use case gets the actor and the time; nothing below the entry points reads a clock or a session. */
export type Call = {
  actor: Actor;
  now: number;
  /** Who the caller is by then, for what lasts; throws once they are nobody. Absent if that cannot change. */
  again?: () => Actor | Promise<Actor>;
  /** Where the request came from, for the record. No right depends on it. */
  address?: string;
};

/** Parley itself. */
export const SYSTEM: Actor = { kind: "system", name: "parley", surface: "system", rights: ["ask", "answer", "read"] };

/** Parley itself, when it settles what is due. */
export const DEADLINE: Actor = { ...SYSTEM, surface: "deadline" };
