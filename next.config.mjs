// Not TypeScript: the page process would load a compiler at every start to read it (27 MB of memory, 0.3 s).
import createNextIntlPlugin from "next-intl/plugin";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // `npm test` checks the types of everything; a second check here would only make the first start slower.
  typescript: { ignoreBuildErrors: true },
};

export default createNextIntlPlugin("./i18n/request.ts")(config);
