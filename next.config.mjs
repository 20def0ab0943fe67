// Not TypeScript: the server would load a compiler at every start to read it (27 MB of memory, 0.3 s).
import createNextIntlPlugin from "next-intl/plugin";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // These load a native addon or find files beside themselves: bundled, they would not find them.
  serverExternalPackages: [
    "better-sqlite3",
    "pg",
    "@prisma/client",
    "@prisma/adapter-better-sqlite3",
    "@prisma/adapter-pg",
  ],
  // `npm test` checks the types of everything; a second check here would only make the first start slower.
  typescript: { ignoreBuildErrors: true },
};

export default createNextIntlPlugin("./i18n/request.ts")(config);
