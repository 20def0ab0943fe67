import { NO_SIGN_IN } from "./no-sign-in.ts";
import { replyJson } from "./reply.ts";
import type { Route } from "./router.ts";

/** Where MCP clients register before a sign-in with OAuth. The reply has the form of RFC 7591, which they can show. */
export const REGISTER: Route = {
  method: "POST",
  path: "/register",
  serve: async ({ res }) => {
    const error_description = `${NO_SIGN_IN} Remove the authorization from the client's settings for Parley.`;
    replyJson(res, 400, { error: "invalid_request", error_description });
  },
};
