import type { Ask } from "../domain/ask.ts";
import type { FactNames } from "../domain/insights/fact-columns.ts";
import type { RunState } from "../domain/lifecycle.ts";
import type { DecidedBy, StrongProof } from "../protocol/actor.ts";
import type { CheckedAnswer } from "../protocol/answer.ts";
import type { KeyKind } from "../protocol/api-key.ts";
import type { AskStatus, Outcome, Result } from "../protocol/ask.ts";
import type { AuditAction } from "../protocol/audit.ts";
import type { InboxItem } from "../protocol/inbox.ts";
import type { Role as MessageRole, MessageType } from "../protocol/message.ts";
import type { ChannelKind, NotificationEvent, NotificationState, NotifyNote } from "../protocol/notification.ts";
import type { PersonView, Role } from "../protocol/people.ts";
import type { Question, QuestionStatus, Shape } from "../protocol/question.ts";
import type { QuietHours } from "../protocol/quiet-hours.ts";
import type { AuthSessionView } from "../protocol/sign-in.ts";
import type { SpaceView, Step, StrongSignIn, Wish } from "../protocol/space.ts";
import type * as Models from "./generated/sqlite/models.ts";
import type { Json } from "./json.ts";

// Every table, column by column. Row types, inserts, PostgreSQL's recordsets and select lists come from here. Each table
// is checked against the model that Prisma generates from prisma/schema.prisma: a column that is missing, unknown or of
// another type does not compile.

/** A column: its type in PostgreSQL and, for the compiler alone, the values that the drivers read and bind. */
type Column<Type extends ColumnType, Value> = { readonly type: Type; readonly value?: Value };
type ColumnType = "text" | "int" | "bigint" | "boolean";

type ColumnOf<Stored> = Stored extends string
  ? Column<"text", string>
  : Stored extends number
    ? Column<"int", number>
    : Stored extends bigint
      ? Column<"bigint", number>
      : Column<"boolean", boolean>;

export type Table<Row> = {
  readonly name: string;
  readonly columns: ReadonlyArray<keyof Row & string>;
  readonly types: { readonly [Name in keyof Row]: ColumnType };
  readonly row?: Row;
};
export type RowOf<T> = T extends Table<infer Row> ? Row : never;

type Row<Model, Columns> = {
  [Name in keyof Model]: Name extends keyof Columns
    ? Columns[Name] extends Column<ColumnType, infer Value>
      ? Value | Extract<Model[Name], null>
      : never
    : never;
};

/** `table<Model>()`: TypeScript infers all type arguments of a call or none. */
function table<Model>() {
  return <
    Columns extends Record<keyof Model, Column<ColumnType, unknown>> & {
      [Name in keyof Model]: ColumnOf<NonNullable<Model[Name]>>;
    },
  >(
    name: string,
    columns: Columns & Record<Exclude<keyof Columns, keyof Model>, never>,
  ): Table<Row<Model, Columns>> => {
    const names = Object.keys(columns) as Array<keyof Model & string>;
    const types = {} as Record<keyof Model, ColumnType>;
    for (const column of names) types[column] = (columns as Columns)[column].type;
    return { name, columns: names, types };
  };
}

const text = <Value extends string = string>(): Column<"text", Value> => ({ type: "text" });
const json = <Value>(): Column<"text", Json<Value>> => ({ type: "text" });
const int = (): Column<"int", number> => ({ type: "int" });
/** Milliseconds since 1970. */
const instant = (): Column<"bigint", number> => ({ type: "bigint" });
const boolean = (): Column<"boolean", boolean> => ({ type: "boolean" });

/** The columns of a table, except some. */
export function without<Row, Names extends keyof Row>({ columns }: Table<Row>, ...names: Names[]) {
  type Rest = Exclude<keyof Row & string, Names>;
  return columns.filter((column): column is Rest => !names.some((name) => name === column));
}

export type TurnStatus = "queued" | "running" | "stopping" | "completed" | "interrupted" | "error";

export const CONVERSATION = table<Models.ConversationModel>()("conversation", {
  id: text(),
  title: text(),
  agent: text(),
  run_state: text<RunState | "hidden">(),
  interactive: boolean(),
  metadata: json<Record<string, unknown>>(),
  last_sequence: int(),
  last_audit: int(),
  current_round: int(),
  total_rounds: int(),
  pending_asks: int(),
  turn_id: text(),
  last_turn: int(),
  queued_turns: int(),
  turn_asks: int(),
  ask_limit: int(),
  announced_limit: int(),
  forked_from: text(),
  forked_round: int(),
  space_id: text(),
  api_key_id: text(),
  closed_at: instant(),
  created_at: instant(),
  updated_at: instant(),
});

export const TURN = table<Models.TurnModel>()("turn", {
  id: text(),
  conversation_id: text(),
  number: int(),
  status: text<TurnStatus>(),
  message_sequence: int(),
  owner: text(),
  started_by: text(),
  reason: text(),
  parked_for: text(),
  created_at: instant(),
  ended_at: instant(),
});

export const MESSAGE = table<Models.MessageModel>()("message", {
  conversation_id: text(),
  sequence_num: int(),
  uuid: text(),
  parent_uuid: text(),
  turn_id: text(),
  type: text<MessageType>(),
  role: text<MessageRole>(),
  content: json<Record<string, unknown>>(),
  metadata: json<Record<string, unknown>>(),
  created_at: instant(),
});

export const ASK = table<Models.AskModel>()("ask", {
  conversation_id: text(),
  tool_use_id: text(),
  round: int(),
  total_rounds: int(),
  shape: text<Shape>(),
  content_hash: text(),
  idempotency_key: text(),
  turn_id: text(),
  status: text<AskStatus>(),
  version: int(),
  command_id: text(),
  sequence_num: int(),
  inbox_item_id: text(),
  deadline_at: instant(),
  on_timeout: text<Ask["on_timeout"]>(),
  irreversible: boolean(),
  asked_by: json<DecidedBy>(),
  created_at: instant(),
  decided_at: instant(),
  result: json<Result>(),
  reply_key: text(),
  assignee_id: text(),
  assignee_name: text(),
  claimed_by: text(),
  claimed_by_name: text(),
  claimed_at: instant(),
  claim_expires_at: instant(),
  delivered_at: instant(),
});

export const QUESTION = table<Models.QuestionModel>()("question", {
  conversation_id: text(),
  question_id: text(),
  tool_use_id: text(),
  position: int(),
  status: text<QuestionStatus>(),
  parent_question_id: text(),
  parent_option_id: text(),
  definition: json<Question>(),
});

export const ANSWER = table<Models.AnswerModel>()("answer", {
  conversation_id: text(),
  question_id: text(),
  value: json<CheckedAnswer>(),
  answered_by: json<DecidedBy>(),
  answered_at: instant(),
  idempotency_key: text(),
});

export const INBOX_ITEM = table<Models.InboxItemModel>()("inbox_item", {
  id: text(),
  conversation_id: text(),
  tool_use_id: text(),
  status: text<InboxItem["status"]>(),
  due_at: instant(),
  created_at: instant(),
  closed_at: instant(),
  agent: text(),
  round: int(),
  question: text(),
  similar_key: text(),
  irreversible: boolean(),
  settled: json<NonNullable<InboxItem["settled"]>>(),
  space_id: text(),
  assignee_id: text(),
  assignee_name: text(),
  claimed_by: text(),
  claimed_by_name: text(),
  claimed_at: instant(),
  claim_expires_at: instant(),
  notify_at: instant(),
  notify_step: int(),
});

export const AUDIT_EVENT = table<Models.AuditEventModel>()("audit_event", {
  conversation_id: text(),
  number: int(),
  action: text<AuditAction>(),
  tool_use_id: text(),
  question_id: text(),
  actor: json<DecidedBy>(),
  at: instant(),
  before: json<unknown>(),
  after: json<unknown>(),
  command_id: text(),
  first_sequence: int(),
  messages: int(),
  content_hash: text(),
  ask_hash: text(),
});

export const AUDIT_SEAL = table<Models.AuditSealModel>()("audit_seal", {
  conversation_id: text(),
  number: int(),
  hash: text(),
  sealed_at: instant(),
  position: int(),
  mac: text(),
});

export const AUDIT_HEAD = table<Models.AuditHeadModel>()("audit_head", {
  id: text(),
  position: int(),
  mac: text(),
  key_fingerprint: text(),
  began_at: instant(),
});

export const SEARCH_ENTRY = table<Models.SearchEntryModel>()("search_entry", {
  seq: int(),
  inbox_item_id: text(),
  conversation_id: text(),
  closed_at: instant(),
  created_at: instant(),
  took_ms: instant(),
  agent: text(),
  title: text(),
  outcome: text<Outcome>(),
  person: text(),
  similar_key: text(),
  space_id: text(),
});

export const SEARCH_TEXT = table<Models.SearchTextModel>()("search_text", {
  seq: int(),
  settled: boolean(),
  text: text(),
});

export const INSIGHT_CHUNK = table<Models.InsightChunkModel>()("insight_chunk", {
  first_seq: int(),
  from_at: instant(),
  to_at: instant(),
  names: json<FactNames>(),
  columns: text(),
});

export const SEARCH_STATE = table<Models.SearchStateModel>()("search_state", {
  id: text(),
  position: int(),
  began_at: instant(),
  seq: int(),
});

export const PERSON = table<Models.PersonModel>()("person", {
  id: text(),
  login: text(),
  name: text(),
  role: text<Role>(),
  status: text<PersonView["status"]>(),
  login_proven: boolean(),
  password_hash: text(),
  locale: text<"en" | "zh" | "ja">(),
  time_zone: text(),
  quiet_hours: json<QuietHours>(),
  out_of_office_until: instant(),
  delegate_id: text(),
  active_at: instant(),
  created_at: instant(),
  updated_at: instant(),
});

export const AUTH_IDENTITY = table<Models.AuthIdentityModel>()("auth_identity", {
  issuer: text(),
  subject: text(),
  person_id: text(),
  created_at: instant(),
});

export const PASSKEY = table<Models.PasskeyModel>()("passkey", {
  id: text(),
  person_id: text(),
  public_key: text(),
  counter: instant(),
  transports: json<string[]>(),
  name: text(),
  created_at: instant(),
  used_at: instant(),
});

export const AUTH_SESSION = table<Models.AuthSessionModel>()("auth_session", {
  id: text(),
  hash: text(),
  person_id: text(),
  kind: text<AuthSessionView["kind"]>(),
  method: text<AuthSessionView["method"]>(),
  user_agent: text(),
  address: text(),
  seen_from: text(),
  created_at: instant(),
  seen_at: instant(),
  expires_at: instant(),
  confirmed_at: instant(),
  proof: text<StrongProof>(),
  sid: text(),
});

export const API_KEY = table<Models.ApiKeyModel>()("api_key", {
  id: text(),
  hash: text(),
  kind: text<KeyKind>(),
  name: text(),
  hint: text(),
  space_id: text(),
  agent: text(),
  owner_id: text(),
  can_report: boolean(),
  created_at: instant(),
  expires_at: instant(),
  used_at: instant(),
  revoked_at: instant(),
});

export const KEY_PERSON = table<Models.KeyPersonModel>()("key_person", {
  key_id: text(),
  person_id: text(),
  part: text<"responsible" | "held">(),
});

export type TokenKind = "setup" | "invite" | "reset" | "device" | "oidc" | "passkey" | "logout";

export const ONE_TIME_TOKEN = table<Models.OneTimeTokenModel>()("one_time_token", {
  id: text(),
  hash: text(),
  kind: text<TokenKind>(),
  code: text(),
  data: json<Record<string, unknown>>(),
  created_by: text(),
  person_id: text(),
  created_at: instant(),
  expires_at: instant(),
  used_at: instant(),
});

export const SPACE = table<Models.SpaceModel>()("space", {
  id: text(),
  name: text(),
  open: boolean(),
  requires_second_person: boolean(),
  steps: json<Step[]>(),
  detail: text<SpaceView["detail"]>(),
  created_at: instant(),
  archived_at: instant(),
});

/** One row: what is true of the team as a whole. */
export const TEAM_STATE = table<Models.TeamStateModel>()("team_state", {
  id: text(),
  version: int(),
  built_in_agents: boolean(),
  upgrades_told: int(),
  strong_sign_in: text<StrongSignIn>(),
});

export const SPACE_MEMBER = table<Models.SpaceMemberModel>()("space_member", {
  space_id: text(),
  person_id: text(),
  created_at: instant(),
});

export const SPACE_WISH = table<Models.SpaceWishModel>()("space_wish", {
  space_id: text(),
  person_id: text(),
  notify: text<Wish>(),
});

export const CHANNEL = table<Models.ChannelModel>()("channel", {
  id: text(),
  person_id: text(),
  space_id: text(),
  kind: text<ChannelKind>(),
  target: text(),
  fingerprint: text(),
  label: text(),
  created_at: instant(),
  unconfirmed_since: instant(),
  verified_at: instant(),
  failures: int(),
  failing_since: instant(),
  last_error: text(),
  disabled_at: instant(),
});

export const NOTIFICATION = table<Models.NotificationModel>()("notification", {
  id: text(),
  inbox_item_id: text(),
  conversation_id: text(),
  tool_use_id: text(),
  step: int(),
  channel_id: text(),
  channel_kind: text<ChannelKind>(),
  person_id: text(),
  event: text<NotificationEvent>(),
  state: text<NotificationState>(),
  attempts: int(),
  next_at: instant(),
  lease: text(),
  lease_until: instant(),
  digest_id: text(),
  external_ref: text(),
  sent_at: instant(),
  error: text(),
  replayed: boolean(),
  created_at: instant(),
});

export const ESCALATION = table<Models.EscalationModel>()("escalation", {
  inbox_item_id: text(),
  began_at: instant(),
  done_at: instant(),
  step: int(),
  claimed_at: instant(),
  assignee_id: text(),
  deferred: json<string[]>(),
  note: text<NotifyNote>(),
  reachable_at: instant(),
});

export const SNOOZE = table<Models.SnoozeModel>()("snooze", {
  person_id: text(),
  inbox_item_id: text(),
  until: instant(),
});

export const DRAFT = table<Models.DraftModel>()("draft", {
  person_id: text(),
  conversation_id: text(),
  tool_use_id: text(),
  value: json<unknown>(),
  updated_at: instant(),
});

export type PersonRow = RowOf<typeof PERSON>;
export type PasskeyRow = RowOf<typeof PASSKEY>;
export type AuthSessionRow = RowOf<typeof AUTH_SESSION>;
export type ApiKeyRow = RowOf<typeof API_KEY>;
export type KeyPersonRow = RowOf<typeof KEY_PERSON>;
export type OneTimeTokenRow = RowOf<typeof ONE_TIME_TOKEN>;
export type SpaceRow = RowOf<typeof SPACE>;
export type ChannelRow = RowOf<typeof CHANNEL>;
export type NotificationRow = RowOf<typeof NOTIFICATION>;
export type EscalationRow = RowOf<typeof ESCALATION>;
export type SnoozeRow = RowOf<typeof SNOOZE>;
export type ConversationRow = RowOf<typeof CONVERSATION>;
export type TurnRow = RowOf<typeof TURN>;
export type MessageRow = RowOf<typeof MESSAGE>;
export type AskRow = RowOf<typeof ASK>;
export type QuestionRow = RowOf<typeof QUESTION>;
export type AnswerRow = RowOf<typeof ANSWER>;
export type InboxItemRow = RowOf<typeof INBOX_ITEM>;
export type AuditEventRow = RowOf<typeof AUDIT_EVENT>;
export type AuditSealRow = RowOf<typeof AUDIT_SEAL>;
export type AuditHeadRow = RowOf<typeof AUDIT_HEAD>;
export type SearchEntryRow = RowOf<typeof SEARCH_ENTRY>;
export type InsightChunkRow = RowOf<typeof INSIGHT_CHUNK>;
export type SearchStateRow = RowOf<typeof SEARCH_STATE>;
