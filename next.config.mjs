// Not TypeScript: the page process would load a compiler at every start to read it (27 MB of memory, 0.3 s).

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // A page that its browser fetched (lib/pages/locked.ts) has no headers: what it preloads must be in the page itself. React
  // complains about 0.
  reactMaxHeadersLength: 1,
  // Next would leave it outside and link to it from .next, and npm packs no links.
  transpilePackages: ["shiki"],
  // `npm test` checks the types of everything; a second check here would only make the first start slower.
  typescript: { ignoreBuildErrors: true },
};

/** Translations are compiled into the pages. To serve them, the plugin is not needed: it takes a second to load. */
export default async function configOf(/** @type {string} */ phase) {
  if (phase === "phase-production-server") return config;
  const { default: createNextIntlPlugin } = await import("next-intl/plugin");
  return createNextIntlPlugin("./i18n/request.ts")(config);
}
