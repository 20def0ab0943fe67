import type { ServerResponse } from "node:http";
import { NONCE_HEADER, nonceIn } from "../http/page-nonce.ts";
import { PAGE_SECRET_HEADER, PAGE_SECRET_PLACE } from "../protocol/page-secret.ts";

// The background of app/globals.css, which lasts until the page is here.
const STYLE = ":root { color-scheme: light dark; background: light-dark(#fff, #0f0f13) }";

// A function, because the page that takes its place has the same window: no name of it may stay there.
const SCRIPT = `(async ({ dataset, nonce }) => {
  const theme = /parley-theme=(light|dark)/.exec(document.cookie);
  if (theme) document.documentElement.style.colorScheme = theme[1];
  const secret = localStorage.getItem("${PAGE_SECRET_PLACE}");
  if (!secret) return location.replace(dataset.signIn);
  const headers = { "${PAGE_SECRET_HEADER}": secret, "${NONCE_HEADER}": nonce };
  const reply = await fetch(location.href, { headers });
  // The session has ended, or the team requires more of it.
  if (reply.redirected) return location.replace(reply.url);
  if (!/^text\\/html/.test(reply.headers.get("content-type"))) {
    document.body.textContent = await reply.text();
    return;
  }
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  document.open();
  for (let read = await reader.read(); !read.done; read = await reader.read()) document.write(read.value);
  document.close();
})(document.currentScript).catch(() => setTimeout(() => location.reload(), 2_000))`;

/**
 * What a browser gets for an address alone: it sends the cookie of its session, but not the page secret, and a program on
 * another port of this host gets the same cookie. So this page says nothing about the team. It fetches the page of the address
 * with the secret, and takes its place; without the secret, it leads to the sign-in page.
 */
export function replyLocked(res: ServerResponse, signIn: string): void {
  const nonce = nonceIn(String(res.getHeader("content-security-policy")));
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Parley</title>
<link rel="icon" href="/favicon.svg">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body><script nonce="${nonce}" data-sign-in="${signIn}">${SCRIPT}</script></body>
</html>
`;
  res.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(page);
}
