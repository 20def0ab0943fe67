// Who may import whom. The layers, from the bottom:
//   protocol ← domain ← db ← hub, auth ← notify ← doors (http, mcp, realtime, agents, pages) ← server.ts
// The pages (app) run in a separate process and know only the contract, the client and how they reach the hub.
// Each rule says what breaks when it is broken. Imports of types count: they tie the layers together just as well.

const test = "(\\.test\\.ts|/test-[a-z-]+\\.ts)$";
const doors = "^lib/(http|mcp|realtime|agents|pages)/";

/** Packages by name, however they are installed. */
const packages = (...names) => `(^|/)node_modules/(${names.join("|")})(/|$)`;
const drivers = packages("prisma", "@prisma/[^/]+", "better-sqlite3", "pg");

/** The folders of lib/cli, lowest first: each imports only from those before it. */
const CLI = ["terminal", "asking", "claude-code", "doctor", "commands"];

/** The folders of components, likewise. */
const COMPONENTS = [
  "ui",
  "preferences",
  "keyboard",
  "live",
  "team",
  "sign-in",
  "question",
  "shell",
  "thread",
  "conversations",
  "inbox",
  "keys",
  "connect",
  "account",
  "people",
  "spaces",
  "gallery",
];

/** One rule per folder: it may not import from those above it. */
const upwards = (root, folders) =>
  folders
    .slice(0, -1)
    .map((folder, index) =>
      layer(
        `${root.split("/").at(-1)}-${folder}-below-${folders[index + 1]}`,
        `^${root}/${folder}/`,
        { path: `^${root}/(${folders.slice(index + 1).join("|")})/` },
        `The folders of ${root} build on each other in one direction: ${folders.join(" ← ")}.`,
      ),
    );

const layer = (name, from, to, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot: test },
  to,
});

module.exports = {
  forbidden: [
    layer(
      "protocol-stands-alone",
      "^lib/protocol/",
      { pathNot: ["^lib/protocol/", packages("zod")] },
      "The contract is read by browsers, the terminal and agents: it may know zod and itself, nothing else.",
    ),
    layer(
      "domain-is-pure",
      "^lib/domain/",
      { pathNot: ["^lib/domain/", "^lib/protocol/", packages("zod", "jsonc-parser")] },
      "The rules run anywhere and are tested without a clock or a disk: they may know the protocol, and no part of Node.",
    ),
    layer(
      "db-below-hub",
      "^lib/db/",
      {
        path: [
          "^lib/(hub|auth|notify|http|mcp|realtime|agents|pages|cli)/",
          "^lib/client\\.ts$",
          "^(app|components)/",
          "^server\\.ts$",
        ],
      },
      "Storage knows the rules and the contract. If it knew the use cases, they could not be changed without it.",
    ),
    layer(
      "hub-below-doors",
      "^lib/hub/",
      { path: [doors, "^lib/(auth|notify|cli)/", "^lib/client\\.ts$", "^(app|components)/", "^server\\.ts$"] },
      "A use case does not know through which door it was called, or doors would begin to differ.",
    ),
    layer(
      "auth-beside-hub",
      "^lib/auth/",
      { path: [doors, "^lib/(hub|notify|cli)/", "^lib/client\\.ts$", "^(app|components)/", "^server\\.ts$"] },
      "Saying who somebody is needs the contract, the rules and storage. It must not depend on what they then do.",
    ),
    layer(
      "notify-below-doors",
      "^lib/notify/",
      { path: [doors, "^lib/cli/", "^lib/client\\.ts$", "^(app|components)/", "^server\\.ts$"] },
      "Telling people of questions needs the hub and who they are. The hub registers its sweep without knowing it.",
    ),
    {
      name: "services-only-in-channels",
      comment: "Each way to reach people is one file in lib/notify/channels, and the only one that knows its library.",
      severity: "error",
      from: { pathNot: ["^lib/notify/channels/", test] },
      to: { path: packages("web-push", "nodemailer", "standardwebhooks", "@slack/[^/]+") },
    },
    layer(
      "doors-below-server",
      doors,
      { path: ["^lib/cli/", "^(app|components)/", "^server\\.ts$"] },
      "Doors are put together in server.ts; they do not reach for the pages or for the whole.",
    ),
    layer(
      "doors-do-not-write",
      doors,
      { path: "^lib/db/" },
      "Doors go through the hub: a door that reaches storage itself goes past the rules and the audit.",
    ),
    layer(
      "pages-through-the-hub",
      "^app/",
      {
        path: "^(lib|scripts)/|^server\\.ts$",
        pathNot: ["^lib/(protocol|domain)/", "^lib/client\\.ts$", "^lib/pages/(settings|socket-fetch|visitor)\\.ts$"],
        dependencyTypesNot: ["type-only", "type-import"],
      },
      "Pages run in another process than the hub: they read through its API, as the visitor.",
    ),
    layer(
      "components-in-the-browser",
      "^components/",
      { path: "^(lib|app|scripts)/|^server\\.ts$", pathNot: ["^lib/(protocol|domain)/", "^lib/client\\.ts$"] },
      "Components run in the browser: protocol, domain and the client are all of lib that can run there.",
    ),
    layer(
      "client-knows-protocol",
      "^lib/client\\.ts$",
      { path: "^(lib|app|components|scripts)/|^server\\.ts$", pathNot: "^lib/protocol/" },
      "The client is what others copy: it holds only what the contract holds.",
    ),
    layer(
      "cli-is-a-client",
      "^lib/cli/(?!commands/(audit|team|person)\\.ts$)",
      {
        path: "^(lib|app|components|scripts)/|^server\\.ts$",
        pathNot: ["^lib/cli/", "^lib/(protocol|domain)/", "^lib/(client|config)\\.ts$"],
      },
      "The terminal works against any Parley: it may use the contract and the pure rules, and nothing that runs a server. Three commands use the database itself: `parley audit`, because a verifier must not trust the server it verifies, and `parley team` and `parley person`, because they must help when nobody can sign in.",
    ),
    ...upwards("lib/cli", CLI),
    ...upwards("components", COMPONENTS),
    {
      name: "drivers-only-in-db",
      comment: "Only lib/db talks to a database; all others would go around its one writer.",
      severity: "error",
      from: { pathNot: ["^lib/db/", "^scripts/", "^bench/", test] },
      to: { path: drivers },
    },
    {
      name: "sql-only-in-db",
      comment: "SQL stays in lib/db: nobody else may make a query or a statement.",
      severity: "error",
      from: { pathNot: ["^lib/db/", test] },
      to: { path: "^lib/db/(query|statement)\\.ts$" },
    },
    {
      name: "driver-reads-only-where-hot",
      comment:
        "lib/db/hot (every ask, answer, wait, inbox and thread page), lib/db/record (the audit record, sealed after every commit) and lib/db/search (what Prisma cannot express) read by the driver; every other read uses Prisma.",
      severity: "error",
      from: { path: "^lib/db/[^/]+$", pathNot: test },
      to: { path: "^lib/db/query\\.ts$", dependencyTypesNot: ["type-only", "type-import"] },
    },
    {
      name: "sockets-only-in-realtime",
      comment: "Only lib/realtime and its clients, in the browser and in the terminal, know how news travels.",
      severity: "error",
      from: {
        pathNot: ["^lib/realtime/", "^components/live/", "^lib/cli/terminal/inbox-events\\.ts$", "^bench/", test],
      },
      to: { path: packages("socket\\.io[^/]*", "@socket\\.io/[^/]+") },
    },
    {
      name: "react-only-in-pages",
      comment: "React stays in app and components: nothing else should have to render.",
      severity: "error",
      from: { path: "^(lib|scripts|bench|server\\.ts)", pathNot: test },
      to: { path: packages("react", "react-dom") },
    },
    {
      name: "next-only-in-pages",
      comment:
        "Next stays in app, components and the page process: it makes every request of its process more expensive.",
      severity: "error",
      from: { path: "^(lib|scripts|bench|server\\.ts)", pathNot: [test, "^lib/pages/renderer\\.ts$"] },
      to: { path: packages("next") },
    },
    {
      name: "product-without-scripts",
      comment: "What is shipped must not lean on tests, scripts or benchmarks.",
      severity: "error",
      from: { path: "^(lib|app|components|server\\.ts)", pathNot: test },
      to: { path: ["^(scripts|bench|e2e)/", test] },
    },
    {
      name: "no-cycles",
      comment: "Two files that need each other are one file, or want a third.",
      severity: "error",
      from: { pathNot: "/generated/" },
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "A file in lib that nobody imports and that imports nothing is dead.",
      severity: "error",
      from: { orphan: true, path: "^lib/", pathNot: "\\.d\\.ts$" },
      to: {},
    },
    {
      name: "no-unresolved",
      comment: "An import that leads nowhere is a missing file or a package that package.json does not name.",
      severity: "error",
      // Programs of other systems run in a folder with their own packages.
      from: { pathNot: "^bench/peers/" },
      to: { couldNotResolve: true },
    },
    {
      name: "no-dev-packages-in-product",
      comment: "`npm start` installs no development packages: the product would not start.",
      severity: "error",
      from: { path: "^(lib|app|components|server\\.ts)", pathNot: test },
      to: {
        dependencyTypes: ["npm-dev"],
        // Optional peers: users install them themselves.
        dependencyTypesNot: ["type-only", "type-import", "npm-peer"],
        pathNot: packages("@types/[^/]+"),
      },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/generated/"] },
    exclude: { path: "^(\\.next|dist)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".cjs", ".json"],
    },
  },
};
