import type { ServerResponse } from "node:http";
import { pagesUnavailable } from "../http/language.ts";

const RETRY_S = 2;

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
</head>
<body><p>${text}</p></body>
</html>
`;
  res.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(page),
    "cache-control": "no-store",
    "retry-after": String(RETRY_S),
  });
  res.end(page);
}
