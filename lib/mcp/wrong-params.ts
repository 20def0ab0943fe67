import { ProtocolErrorCode, specTypeSchemas } from "@modelcontextprotocol/server";
import { pathText } from "../protocol/errors.ts";

/** The reply to an `initialize` with wrong parameters; undefined if they are right. The SDK calls that its own internal error. */
export async function wrongInitialize({
  id,
  params,
}: {
  id?: unknown;
  params?: unknown;
}): Promise<Response | undefined> {
  const { issues } = await specTypeSchemas.InitializeRequestParams["~standard"].validate(params);
  if (!issues || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const problems = issues.map(({ path = [], message }) => {
    const keys = path.map((key) => (typeof key === "object" ? key.key : key));
    return `${pathText(["params", ...keys])}: ${message.replace(/^Invalid input: /, "")}`;
  });
  const error = {
    code: ProtocolErrorCode.InvalidParams,
    message: `Invalid initialize request. ${problems.join("; ")}`,
  };
  return Response.json({ jsonrpc: "2.0", id, error });
}
