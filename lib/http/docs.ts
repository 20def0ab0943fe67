import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PAGE_SECRET_HEADER, PAGE_SECRET_PLACE } from "../protocol/page-secret.ts";
import { openApi } from "./openapi.ts";
import { reply } from "./reply.ts";
import type { Route } from "./router.ts";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Parley</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/page.css">
</head>
<body>
<header>
<a href="/"><img src="/favicon.svg" alt="" width="20" height="20"> Parley</a>
<nav><a href="/">Inbox</a> <a href="/connect">Connect an agent</a> <a href="/api/openapi.json">openapi.json</a></nav>
</header>
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/init.js"></script>
</body>
</html>
`;

/** Only the frame around the viewer, which has its own style sheet. */
const STYLE = `body { margin: 0; background: #fff; color: #1c1c1f; font: 14px/1.5 system-ui, sans-serif }
header { display: flex; align-items: center; justify-content: space-between; gap: 16px; flex-wrap: wrap;
  max-width: 1460px; margin: 0 auto; padding: 14px 20px; box-sizing: border-box }
header a { color: inherit; text-decoration: none }
header a:hover, header a:focus-visible { text-decoration: underline }
header > a { display: inline-flex; align-items: center; gap: 8px; font-weight: 600 }
nav { display: flex; gap: 20px }
.swagger-ui .info { margin: 24px 0 }
`;

/**
 * No validator, because it would send the document to a third party. People who are signed in can try operations out: their page
 * secret goes with requests to this origin, and to no other.
 */
const INIT = `SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#docs",
  validatorUrl: null,
  deepLinking: true,
  requestInterceptor: (request) => {
    const secret = localStorage.getItem("${PAGE_SECRET_PLACE}");
    if (secret && new URL(request.url, location.href).origin === location.origin)
      request.headers["${PAGE_SECRET_HEADER}"] = secret;
    return request;
  },
});
`;

/** The viewer sets style attributes. Only its own scripts may run, and nothing may load from other hosts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The OpenAPI document and its page, served from installed packages only. */
export function docsRoutes(version: string): Route[] {
  const asset = (name: string, type: string) =>
    page(`/api/docs/${name}`, () => readFileSync(join(viewer(), name)), {
      "content-type": type,
      "cache-control": "max-age=86400",
    });
  let document: string | undefined;
  const openApiJson = () => {
    document ??= JSON.stringify(openApi(version));
    return document;
  };
  return [
    page("/api/openapi.json", openApiJson, { "content-type": "application/json" }),
    page("/api/docs", () => PAGE, { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY }),
    page("/api/docs/page.css", () => STYLE, { "content-type": "text/css" }),
    page("/api/docs/init.js", () => INIT, { "content-type": "text/javascript" }),
    asset("swagger-ui.css", "text/css"),
    asset("swagger-ui-bundle.js", "text/javascript"),
  ];
}

/** Next to the built server, or in its package. */
function viewer(): string {
  const built = join(import.meta.dirname, "api-docs");
  return existsSync(built) ? built : dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}

function page(path: string, content: () => string | Buffer, headers: Record<string, string>): Route {
  return { method: "GET", path, serve: async ({ res }) => reply(res, content(), headers) };
}
