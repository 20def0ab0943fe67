import { z } from "zod";
import type { Needs } from "../protocol/actor.ts";
import { AnswerInput, CheckedAnswer } from "../protocol/answer.ts";
import { AskView, Result } from "../protocol/ask.ts";
import { ERRORS, ErrorEnvelope } from "../protocol/errors.ts";
import { InboxItem } from "../protocol/inbox.ts";
import { MessageView } from "../protocol/message.ts";
import { errorsOf, type Operation } from "../protocol/operation.ts";
import { ASK_SHAPES, OPERATIONS } from "../protocol/operations.ts";
import { SessionSummary } from "../protocol/session.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, made from the same schemas that check the calls. */
export function openApi(version: string): Json {
  const { Questions, StructuredQuestion, Push, RequestInput, CodexCall, OpenCodeCall } = ASK_SHAPES;
  const input = components(
    { AnswerInput, Questions, StructuredQuestion, Push, RequestInput, CodexCall, OpenCodeCall },
    "input",
  );
  const output = components(
    { AskView, Result, CheckedAnswer, MessageView, SessionSummary, InboxItem, ErrorEnvelope },
    "output",
  );
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries<Operation>(OPERATIONS)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: documented(operationId, operation, input, output),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Parley", version, description: ABOUT },
    servers: [{ url: "/", description: "The Parley that this document comes from." }],
    // Parley has no sign-in in open mode; a proxy in front of it may.
    security: [],
    paths,
    components: { schemas: { ...input.schemas(), ...output.schemas() }, parameters: HEADERS },
  };
}

const ABOUT = `A hub where agents ask people questions and get answers back.

Ask, and wait up to 55 seconds for the answer:

\`\`\`sh
curl -s http://localhost:3000/api/asks -H 'content-type: application/json' -d '{
  "tool_use_id": "deploy-1", "agent": "deployer", "wait": 55,
  "question_text": "Deploy to production?", "type": "multiple_choice",
  "options": [{"id": "yes", "label": "Yes"}, {"id": "later", "label": "Later"}]
}'
\`\`\`

The question is in the [inbox](/) until someone answers it. Then the call returns with \`ask.result\`:

\`\`\`json
{ "outcome": "answered", "output": { "question_id": "deploy-1", "answer": "yes" } }
\`\`\`

If nobody has answered in time, there is no \`ask.result\` yet. Wait again with
\`GET /api/asks/deploy-1?session_id=…&wait=55\`: it is the same question.`;

function documented(operationId: string, operation: Operation, input: Components, output: Components): Json {
  const body = operation.documentedBody ?? operation.body;
  const requestType = operation.bodyType === "jsonl" ? "application/x-ndjson" : "application/json";
  const reply = {
    [MEDIA[operation.responseType ?? "json"]]: {
      schema: replySchema(operationId, operation, output),
    },
  };
  const failures = new Map<number, string[]>();
  for (const code of errorsOf(operation)) {
    const { http } = ERRORS[code];
    failures.set(http, [...(failures.get(http) ?? []), code]);
  }
  return {
    operationId,
    tags: [tagOf(operation.path)],
    summary: operation.summary,
    description: [operation.description, needsText(operation.needs)].filter(Boolean).join(" "),
    "x-parley-rights": operation.needs,
    parameters: [
      ...parameters(operation.params, "path", input),
      ...parameters(operation.query, "query", input),
      ...[...(operation.headers ?? []), ...HEADERS_OF_ALL].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { [requestType]: { schema: input.named(`${capital(operationId)}Request`, body) } },
      },
    }),
    responses: {
      [operation.status]: { description: "Done.", content: reply },
      ...Object.fromEntries(
        [...failures].map(([status, codes]) => [
          status,
          {
            description: codes.join(", "),
            content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorEnvelope" } } },
          },
        ]),
      ),
    },
  };
}

const header = (name: string, description: string, maxLength?: number) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...(maxLength && { maxLength }) },
});

const HEADERS = {
  "Idempotency-Key": header(
    "Idempotency-Key",
    "A key for this call. A retry with the same key gets the first reply again and changes nothing.",
    256,
  ),
  "Last-Event-ID": header("Last-Event-ID", "The id of the last event received; the stream continues after it."),
  "X-Parley-Name": header(
    "X-Parley-Name",
    "The name of the caller for the record, percent-encoded; `local` by default.",
  ),
  "Accept-Language": header("Accept-Language", "The language of messages for people: en, zh or ja."),
};
const HEADERS_OF_ALL = ["X-Parley-Name", "Accept-Language"] as const;

const MEDIA = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  file: "text/csv",
  events: "text/event-stream",
} as const;
const TAGS: Record<string, string> = { sessions: "Conversations", asks: "Asking", task: "Answering" };

function tagOf(path: string): string {
  return TAGS[path.split("/")[2] ?? ""] ?? "Overview";
}

function replySchema(operationId: string, operation: Operation, output: Components): Json {
  if (operation.responseType === "jsonl") return { type: "string", description: "One JSON object per line." };
  if (operation.responseType === "file") return { type: "string", description: "The file." };
  if (operation.responseType === "events") return { type: "string", description: "One envelope per event." };
  return output.named(
    `${capital(operationId)}Response`,
    z.object({ success: z.literal(true), ...operation.response.shape }),
  );
}

function parameters(schema: Operation["params"], where: "path" | "query", input: Components): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...rest } = input.inline(field);
    const required = where === "path" || !field.safeParse(undefined).success;
    return { name, in: where, required, ...(description !== undefined && { description }), schema: rest };
  });
}

type Components = {
  named: (id: string, schema: z.ZodType) => Json;
  inline: (schema: z.ZodType) => Json;
  schemas: () => Json;
};

/** Collects schemas under `#/components/schemas`. Requests and replies differ: fields with a default are optional only in requests. */
function components(shared: Record<string, z.ZodType>, io: "input" | "output"): Components {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(shared)) registry.add(schema, { id });
  const options = { io, unrepresentable: "any", uri: (id: string) => `#/components/schemas/${id}` } as const;
  return {
    named: (id, schema) => {
      registry.add(schema, { id });
      return { $ref: `#/components/schemas/${id}` };
    },
    inline: (schema) => {
      const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
      return json;
    },
    schemas: () =>
      Object.fromEntries(
        Object.entries(z.toJSONSchema(registry, options).schemas).map(([id, schema]) => {
          const { $schema: _, $id: __, ...json } = schema;
          return [id, rebase(json, id)];
        }),
      ),
  };
}

/** Points the self-references of a recursive schema to its place in the document. */
function rebase(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebase(item, id));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" && item === "#" ? `#/components/schemas/${id}` : rebase(item, id),
    ]),
  );
}

function needsText(needs: Needs): string {
  return needs === "anyone" ? "Needs no sign-in." : `Needs the right to ${needs.join(" or ")}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
