import type { AuthContext } from "../auth/context.ts";
import { replyJson } from "./reply.ts";
import type { Route } from "./router.ts";
import { signInHint } from "./sign-in-hint.ts";

/** Where MCP clients register before a sign-in with OAuth. The reply has the form of RFC 7591, which they can show. */
export function registerRoute({ directory, publicUrl }: Pick<AuthContext, "directory" | "publicUrl">): Route {
  return {
    method: "POST",
    path: "/register",
    serve: async ({ res }) => {
      const hint = signInHint(directory.mode, publicUrl());
      const more = directory.mode === "open" ? " Remove the authorization from the client's settings for Parley." : "";
      replyJson(res, 400, { error: "invalid_request", error_description: hint + more });
    },
  };
}
