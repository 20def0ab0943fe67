import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import type { AuthSettings } from "./auth/auth.ts";
import { childEnvironment, type Environment } from "./child-environment.ts";
import { ownFile, sqlitePath } from "./db/place.ts";
import type { NotifySettings } from "./notify/settings.ts";
import { DEFAULT_LIMITS, type Limits } from "./protocol/limits.ts";
import type { Role } from "./protocol/people.ts";

const count = (fallback: number, least = 1) => z.coerce.number().int().min(least).default(fallback);
const flag = (fallback: boolean) =>
  z
    .enum(["true", "false"])
    .default(fallback ? "true" : "false")
    .transform((value) => value === "true");

/** A group and its role. The names of some groups have commas and equals signs in them: `cn=admins,ou=groups=admin`. */
const GROUP_ROLE = /([^=].*?)=(admin|member|viewer)(?:,|$)/g;

/** Every setting with its description; `.env.example` lists them for people. */
const Settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe("The port Parley listens on."),
  HOST: z.string().min(1).default("127.0.0.1").describe("The address Parley listens on."),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The address people use, for example that of a proxy or tunnel."),
  TRUSTED_PROXY: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "must be addresses or networks (10.0.0.0/8)")))
    .describe("Proxies whose X-Forwarded-For is trusted; 127.0.0.1,::1 for one on this machine."),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|postgres(ql)?:\/\/.+)$/, "must start with file: or postgresql://")
    .default("file:./data/parley.db")
    .describe("Where Parley stores its data."),
  DATABASE_TIMEOUT_S: z.coerce
    .number()
    .min(1)
    .max(600)
    .default(30)
    .describe("Seconds that PostgreSQL can take to store a change before Parley drops the connection."),
  AUDIT_KEY: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe("The secret that seals audit records."),
  AUDIT_KEY_FILE: z.string().min(1).optional().describe("A file that contains that secret."),
  PARLEY_SECRET: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe(
      "The secret behind browser sessions and encrypted channels; by default, the file `secret` next to the data.",
    ),
  PASSWORD_SIGN_IN: flag(true).describe("Whether people can sign in with a password."),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The identity provider people can sign in with."),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("Parley's client id at the provider."),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("Its client secret."),
  OIDC_NAME: z.string().min(1).max(60).default("single sign-on").describe("The provider's name on the sign-in button."),
  OIDC_SIGNUP: z
    .string()
    .regex(/^(invited|anyone|domain:[\w.-]+)$/, "must be invited, anyone or domain:example.com")
    .default("invited")
    .describe("Who gets an account at their first sign-in with the provider."),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid( [\w:./-]+)*$/, "must start with openid, as in openid email profile groups")
    .default("openid email profile")
    .describe("What Parley asks the provider for."),
  OIDC_GROUPS_CLAIM: z.string().min(1).default("groups").describe("The claim that lists a person's groups."),
  OIDC_ADMIN_GROUP: z
    .string()
    .min(1)
    .optional()
    .describe("The group at the provider whose members are admins, as of each sign-in."),
  OIDC_ROLES: z
    .string()
    .regex(new RegExp(`^(${GROUP_ROLE.source})*$`), "must be as in parley-admins=admin,staff=member,guests=viewer")
    .default("")
    .transform((text) =>
      [...text.matchAll(GROUP_ROLE)].map(([, group = "", role]) => [group.trim(), role as Role] as const),
    )
    .describe("The roles that groups at the provider give, as of each sign-in. Nobody else can then sign in with it."),
  PROXY_USER_HEADER: z
    .string()
    .regex(/^[\w-]+$/, "must be the name of a header")
    .optional()
    .describe("The header in which a sign-in proxy sends the person's login."),
  PROXY_SECRET: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe("The secret that proxy must send as X-Parley-Proxy-Secret."),
  ALLOW_KEYLESS_AGENTS: flag(false).describe(
    "Whether programs on this machine can still ask without a key once people sign in.",
  ),
  CLAUDE_ALLOWED_ROLES: z
    .string()
    .default("admin")
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .pipe(z.array(z.enum(["admin", "member"])))
    .describe("Who can start the `claude` agent, which works on this machine."),
  CLAIM_EXPIRES_AFTER_S: count(1_800).describe("Seconds until a claim expires."),
  TLS_CERT_FILE: z.string().min(1).optional().describe("The certificate for https without a proxy."),
  TLS_KEY_FILE: z.string().min(1).optional().describe("Its private key."),
  ALLOW_HTTP: flag(false).describe("Whether PUBLIC_URL can be http, which sends passwords unencrypted."),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, "must start with smtp:// or smtps://")
    .optional()
    .describe("The mail server that sends notifications, with name and password if it needs them."),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n]{1,100} )?<?[^\s<>@,;"]+@[^\s<>@,;"]+>?$/,
      "must be an address, such as Parley <parley@example.com>",
    )
    .optional()
    .describe("The sender of email notifications."),
  NTFY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("An ntfy topic that receives every question: https://ntfy.sh/my-topic."),
  NTFY_TOKEN: z.string().min(1).optional().describe("The topic's access token, if it needs one."),
  WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("A webhook that receives every question."),
  WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be whsec_ followed by at least 24 bytes in base64")
    .optional()
    .describe("The secret that signs its requests."),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-\S+$/, "must start with xoxb-")
    .optional()
    .describe("The Slack app's bot token."),
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-\S+$/, "must start with xapp-")
    .optional()
    .describe("Its app-level token, for Socket Mode."),
  SLACK_CHANNEL: z
    .string()
    .regex(/^[CG][A-Z0-9]{2,30}$/, "must be the id of a Slack channel, such as C0123ABCD")
    .optional()
    .describe("A Slack channel that receives every question."),
  NOTIFY_PRIVATE_HOSTS: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .pipe(z.array(z.string().regex(/^[\w.:[\]-]+$/, "must be host names, such as ntfy.internal,10.0.0.5:8080")))
    .describe("Hosts with private addresses that people can use in notification channels."),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("How much is logged."),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Requests per minute for each person and key, and otherwise for each address; 0 means no limit."),
  SOCKETS_PER_CLIENT: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Sockets for each person and key, and otherwise for each address; 0 means no limit."),
  CHAT_PROTOCOL_V2_ENABLED: flag(true).describe("Whether sockets are served."),
  MAX_TURN_QUEUE_SIZE: count(8).describe("How many messages can be queued while the agent is busy."),
  STOP_AGENT_ON_DISCONNECT: flag(false).describe("Whether the agent stops when the last watcher leaves."),
  ASK_MAX_QUESTIONS: count(DEFAULT_LIMITS.maxQuestions).describe("Questions in one ask of the `questions` shape."),
  ASK_MAX_OPTIONS: count(DEFAULT_LIMITS.maxOptions).describe("Options of a question there."),
  ASK_HEADER_MAX_LENGTH: count(DEFAULT_LIMITS.headerMax).describe("Characters of a header there."),
  ASK_QUESTION_MAX_LENGTH: count(DEFAULT_LIMITS.questionMax).describe("Characters of a question there."),
  ASK_TEXT_MAX_LENGTH: count(DEFAULT_LIMITS.textMax).describe("Characters of a text answer."),
  ASK_MAX_DEPTH: count(DEFAULT_LIMITS.maxDepth).describe("Asks in one turn."),
  ASK_MAX_PER_MINUTE: count(DEFAULT_LIMITS.maxPerMinute, 0).describe(
    "Asks of one agent's key in a minute; 0 is no limit.",
  ),
  ASK_MAX_OPEN: count(DEFAULT_LIMITS.maxOpen, 0).describe("Open asks of one agent's key; 0 is no limit."),
  ASK_DEFAULT_TIMEOUT_S: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe("Seconds until an ask without its own deadline times out; 0 means never."),
  GALLERY: flag(false).describe("Whether /gallery shows every state of a question, for people who develop Parley."),
  MCP_ELICITATION: flag(false).describe("Whether MCP clients that support forms also show questions."),
  SKILLS_DIR: z.string().min(1).default(".claude/skills").describe("The folder with question templates."),
  CLAUDE_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe("The folder the `claude` agent works in. It may hold neither Parley nor its data."),
  CLAUDE_ENV: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .describe("More environment variables that the `claude` agent gets. Parley's own settings stay out of its reach."),
  CLAUDE_MODEL: z.string().min(1).optional().describe("The `claude` agent's model; the SDK's default if not set."),
  CLAUDE_PARK_AFTER_S: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(60)
    .describe("Seconds that a `claude` process keeps running while it waits for an answer."),
  NODE_ENV: z.string().default("production"),
});

type Settings = z.output<typeof Settings>;

export type Config = {
  port: number;
  host: string;
  publicUrl: string | undefined;
  /** Addresses and networks of proxies in front of the one on this machine. */
  trustedProxies: string[];
  databaseUrl: string;
  /** How long PostgreSQL can take to store a change. */
  databaseTimeoutS: number;
  /** The audit key itself, or the file that holds it. */
  audit: { key: string | undefined; file: string | undefined };
  /** The installation's secret itself, or the file that holds it. */
  secret: { value: string | undefined; file: string | undefined };
  /** How people sign in once someone has an account. */
  auth: AuthSettings;
  /** How long a claim lasts. */
  claimMs: number;
  /** How people are notified about questions. */
  notify: NotifySettings;
  /** Files of the certificate and its key, if Parley serves https itself. */
  tls: { cert: string; key: string } | undefined;
  logLevel: string;
  /** Requests per minute for each client; 0 means no limit. */
  rateLimit: number;
  limits: Limits;
  /** Whether sockets are served, and how many for each client; 0 means no limit. */
  sockets: boolean;
  socketsPerClient: number;
  /** How many messages can be queued while the agent is busy. */
  maxQueue: number;
  /** Whether the agent stops when its last watcher leaves. */
  stopOnDisconnect: boolean;
  skillsFolder: string;
  /** Settings of the `claude` agent. */
  claude: {
    folder: string | undefined;
    model: string | undefined;
    parkAfterMs: number;
    /** The environment of its processes. */
    env: Environment;
    /** What its folder may not hold. */
    keepOut: string[];
  };
  /** The environment of the page process. */
  pageEnv: Environment;
  /** Whether MCP clients that support forms also show questions. */
  elicitation: boolean;
  development: boolean;
  /** Whether /gallery is served. */
  gallery: boolean;
};

/** Describes every problem with the settings. */
/** How Claude Code signs in, and where it reaches its model. */
const FOR_CLAUDE =
  /^(ANTHROPIC_\w+|CLAUDE_CODE_\w+|CLAUDE_CONFIG_DIR|AWS_\w+|GOOGLE_\w+|CLOUD_ML_\w+|VERTEX_\w+|SSH_AUTH_SOCK)$/;

export class ConfigError extends Error {}

/**
 * Reads the environment and the `.env` file in Parley's home, which the environment overrides. Nothing else reads either.
 */
export function readConfig(root: string): Config {
  const home = homeOf(root, process.env);
  const file = join(home, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const config = inHome(parseConfig(process.env), home);
  const { databaseUrl: url, audit, secret, claude } = config;
  const data = url.startsWith("file:") ? [dirname(sqlitePath(url, home))] : [];
  const files = [audit.file, secret.file].flatMap((one) => one ?? []);
  return { ...config, claude: { ...claude, keepOut: [root, home, ...data, ...files] } };
}

/**
 * The folder with the settings and the data. For a clone it is the clone itself. Updates replace an installed package, so
 * its home is `~/.parley`.
 */
export function homeOf(root: string, env: Record<string, string | undefined>): string {
  if (env.PARLEY_HOME) return resolve(env.PARLEY_HOME);
  return existsSync(join(root, "server.ts")) ? root : join(env.HOME || homedir(), ".parley");
}

/** Makes the paths that are relative to the home absolute. */
export function inHome(config: Config, home: string): Config {
  const { databaseUrl: url, audit, secret } = config;
  const isFile = url.startsWith("file:");
  return {
    ...config,
    databaseUrl: isFile ? `file:${sqlitePath(url, home)}` : url,
    audit: { ...audit, file: ownFile("audit.key", audit.file, { url, root: home }) },
    secret: { ...secret, file: ownFile("secret", secret.file, { url, root: home }) },
  };
}

/** Treats empty settings as unset. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new ConfigError(`These settings are invalid: ${problems.join("; ")}.`);
  }
  const settings = parsed.data;
  const isReachable =
    !isLoopback(settings.HOST) || (settings.PUBLIC_URL !== undefined && !isLocal(settings.PUBLIC_URL));
  const tls = checkReach(settings, isReachable);
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL,
    trustedProxies: settings.TRUSTED_PROXY,
    databaseUrl: settings.DATABASE_URL,
    databaseTimeoutS: settings.DATABASE_TIMEOUT_S,
    audit: { key: settings.AUDIT_KEY, file: settings.AUDIT_KEY_FILE },
    secret: { value: settings.PARLEY_SECRET, file: undefined },
    auth: authOf(settings, isReachable),
    claimMs: settings.CLAIM_EXPIRES_AFTER_S * 1_000,
    notify: notifyOf(settings),
    tls,
    logLevel: settings.LOG_LEVEL,
    rateLimit: settings.RATE_LIMIT_PER_MINUTE ?? (isReachable ? 600 : 0),
    limits: {
      maxQuestions: settings.ASK_MAX_QUESTIONS,
      maxOptions: settings.ASK_MAX_OPTIONS,
      headerMax: settings.ASK_HEADER_MAX_LENGTH,
      questionMax: settings.ASK_QUESTION_MAX_LENGTH,
      textMax: settings.ASK_TEXT_MAX_LENGTH,
      maxDepth: settings.ASK_MAX_DEPTH,
      defaultTimeoutS: settings.ASK_DEFAULT_TIMEOUT_S,
      maxPerMinute: settings.ASK_MAX_PER_MINUTE,
      maxOpen: settings.ASK_MAX_OPEN,
    },
    sockets: settings.CHAT_PROTOCOL_V2_ENABLED,
    socketsPerClient: settings.SOCKETS_PER_CLIENT ?? (isReachable ? 100 : 0),
    maxQueue: settings.MAX_TURN_QUEUE_SIZE,
    stopOnDisconnect: settings.STOP_AGENT_ON_DISCONNECT,
    skillsFolder: settings.SKILLS_DIR,
    claude: {
      folder: settings.CLAUDE_FOLDER,
      model: settings.CLAUDE_MODEL,
      parkAfterMs: settings.CLAUDE_PARK_AFTER_S * 1_000,
      env: childEnvironment(given, (name) => FOR_CLAUDE.test(name) || settings.CLAUDE_ENV.includes(name)),
      keepOut: [],
    },
    pageEnv: childEnvironment(given, (name) => name.startsWith("NEXT_")),
    elicitation: settings.MCP_ELICITATION,
    development: settings.NODE_ENV === "development",
    gallery: settings.GALLERY || settings.NODE_ENV === "development",
  };
}

/** Checks that others can reach Parley safely. Returns the files to serve https with, if any. */
function checkReach(settings: Settings, isReachable: boolean): Config["tls"] {
  const { HOST, PUBLIC_URL, ALLOW_HTTP, TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = settings;
  if (!isLoopback(HOST) && PUBLIC_URL === undefined)
    throw new ConfigError(
      `HOST is ${HOST}, where others can reach Parley. Set PUBLIC_URL to the address they use, such as https://parley.example.com.`,
    );
  const isPlain = PUBLIC_URL?.startsWith("http:") && !isLocal(PUBLIC_URL);
  if (isReachable && isPlain && !ALLOW_HTTP)
    throw new ConfigError(
      "PUBLIC_URL is http, so passwords and answers would travel unencrypted. Use https (docs/deploy.md), or set ALLOW_HTTP=true on a network you trust.",
    );
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError("TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or neither.");
  return cert !== undefined && key !== undefined ? { cert, key } : undefined;
}

function authOf(settings: Settings, isReachable: boolean): AuthSettings {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_SIGNUP, OIDC_ADMIN_GROUP } = settings;
  const { PROXY_USER_HEADER, PROXY_SECRET } = settings;
  if (OIDC_ISSUER !== undefined && (OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined))
    throw new ConfigError("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.");
  if (PROXY_USER_HEADER !== undefined && PROXY_SECRET === undefined)
    throw new ConfigError(
      "PROXY_USER_HEADER needs PROXY_SECRET: without it, any program on this machine could claim to be anyone.",
    );
  if (settings.ALLOW_KEYLESS_AGENTS && isReachable)
    throw new ConfigError(
      "ALLOW_KEYLESS_AGENTS works only if nobody else can reach Parley: unset it, or unset HOST and PUBLIC_URL.",
    );
  const [, domain] = /^domain:(.+)$/.exec(OIDC_SIGNUP) ?? [];
  return {
    isReachable,
    passwordSignIn: settings.PASSWORD_SIGN_IN,
    allowKeyless: settings.ALLOW_KEYLESS_AGENTS,
    proxy:
      PROXY_USER_HEADER === undefined || PROXY_SECRET === undefined
        ? undefined
        : { userHeader: PROXY_USER_HEADER.toLowerCase(), secret: PROXY_SECRET },
    runners: settings.CLAUDE_ALLOWED_ROLES,
    oidc:
      OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined
        ? undefined
        : {
            issuer: OIDC_ISSUER,
            clientId: OIDC_CLIENT_ID,
            clientSecret: OIDC_CLIENT_SECRET,
            name: OIDC_NAME,
            signUp: domain === undefined ? (OIDC_SIGNUP === "anyone" ? "anyone" : "invited") : { domain },
            roles: new Map([
              ...settings.OIDC_ROLES,
              ...(OIDC_ADMIN_GROUP ? [[OIDC_ADMIN_GROUP, "admin"] as const] : []),
            ]),
            onlyGroups: settings.OIDC_ROLES.length > 0,
            scopes: settings.OIDC_SCOPES,
            groupsClaim: settings.OIDC_GROUPS_CLAIM,
            allowInsecure: OIDC_ISSUER.startsWith("http:") && isLocal(OIDC_ISSUER),
          },
  };
}

function notifyOf(settings: Settings): NotifySettings {
  const { SMTP_URL, MAIL_FROM, NTFY_URL, NTFY_TOKEN, WEBHOOK_URL, WEBHOOK_SECRET } = settings;
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_CHANNEL } = settings;
  if (SMTP_URL !== undefined && MAIL_FROM === undefined) throw new ConfigError("SMTP_URL needs MAIL_FROM.");
  if (WEBHOOK_URL !== undefined && WEBHOOK_SECRET === undefined)
    throw new ConfigError("WEBHOOK_URL needs WEBHOOK_SECRET, so that its receiver can verify requests.");
  if ((SLACK_BOT_TOKEN === undefined) !== (SLACK_APP_TOKEN === undefined))
    throw new ConfigError("SLACK_BOT_TOKEN and SLACK_APP_TOKEN belong together: set both or neither.");
  if (SLACK_CHANNEL !== undefined && SLACK_BOT_TOKEN === undefined)
    throw new ConfigError("SLACK_CHANNEL needs SLACK_BOT_TOKEN and SLACK_APP_TOKEN.");
  const [, name = "", address = ""] = /^(?:([^<>]*) )?<?([^<>\s]+)>?$/.exec(MAIL_FROM ?? "") ?? [];
  return {
    email: SMTP_URL === undefined ? undefined : { url: SMTP_URL, from: { name: name || "Parley", address } },
    ntfy:
      NTFY_URL === undefined ? undefined : { kind: "ntfy", url: NTFY_URL, ...(NTFY_TOKEN && { token: NTFY_TOKEN }) },
    webhook: WEBHOOK_URL === undefined ? undefined : { kind: "webhook", url: WEBHOOK_URL, secret: WEBHOOK_SECRET },
    slack:
      SLACK_BOT_TOKEN === undefined || SLACK_APP_TOKEN === undefined
        ? undefined
        : {
            botToken: SLACK_BOT_TOKEN,
            appToken: SLACK_APP_TOKEN,
            channel: SLACK_CHANNEL === undefined ? undefined : { kind: "slack", address: SLACK_CHANNEL },
          },
    privateHosts: settings.NOTIFY_PRIVATE_HOSTS,
    fixedHosts: [NTFY_URL, WEBHOOK_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).host])),
  };
}

/** Whether the address is on this machine, as with a tunnel or another port. */
function isLocal(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
