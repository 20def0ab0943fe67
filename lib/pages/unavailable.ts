import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pagesUnavailable } from "../http/language.ts";

const RETRY_S = 2;

// The colours of app/globals.css, which only the page process can serve.
const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 14px/22px system-ui, sans-serif;
  background: light-dark(#fff, #0f0f13); color: light-dark(#17171e, #ececf1) }
main { max-width: 24rem; padding: 24px; text-align: center; text-wrap: balance }
svg { width: 40px; height: 40px; margin-bottom: 12px }
p { margin: 0; color: light-dark(#545461, #a5a5b2) }
i { display: block; width: 16px; height: 16px; margin: 20px auto 0; border: 2px solid light-dark(#e5e5ea, #292932);
  border-top-color: light-dark(#5a43d6, #a597ff); border-radius: 50%; animation: turn .8s linear infinite }
@keyframes turn { to { transform: rotate(360deg) } }
@media (prefers-reduced-motion: reduce) { i { animation: none } }
`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const LOGO =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#5a43d6"/><path d="M9 10.5A2.5 2.5 0 0 1 11.5 8h9a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5H15l-4 4v-4a2 2 0 0 1-2-2z" fill="#fff"/></svg>';

/** Shown while the page process restarts. It reloads itself, without a script. */
export function replyUnavailable(res: ServerResponse): void {
  const { language, text } = pagesUnavailable(res.req.headers["accept-language"]);
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RETRY_S}">
<title>Parley</title>
<style>${STYLE}</style>
</head>
<body><main>${LOGO}<p>${text}</p><i aria-hidden="true"></i></main></body>
</html>
`;
  res.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(page),
    "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "retry-after": String(RETRY_S),
  });
  res.end(page);
}
