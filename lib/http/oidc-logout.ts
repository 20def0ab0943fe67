import type { Oidc } from "../auth/oidc.ts";
import { toldOf } from "../protocol/errors.ts";
import { readBody } from "./read-body.ts";
import { replyJson } from "./reply.ts";
import type { Route } from "./router.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Where the identity provider says that someone has signed out there. It is no operation: the specification decides the form of
 * the request, which is that of an HTML form, and of the reply. No page can send it, because the origin check comes first.
 */
export function oidcLogoutRoute({ logOut }: Oidc, clock: () => number): Route {
  return {
    method: "POST",
    path: "/api/auth/oidc/logout",
    serve: async ({ req, res }) => {
      const refuse = (error_description: string) =>
        replyJson(res, 400, { error: "invalid_request", error_description });
      const [media] = (req.headers["content-type"] ?? "").split(";");
      if (media?.trim().toLowerCase() !== "application/x-www-form-urlencoded")
        return refuse("Send logout_token as application/x-www-form-urlencoded.");
      const token = new URLSearchParams(String(await readBody(req, MAX_BYTES))).get("logout_token");
      if (!token) return refuse("There is no logout_token.");
      try {
        await logOut(token, clock());
      } catch (error) {
        if (toldOf(error)?.code === "storage_unavailable") throw error;
        return refuse("This logout_token was not accepted.");
      }
      replyJson(res, 200, {});
    },
  };
}
