import { hash } from "node:crypto";
import {
  API_KEY,
  AUTH_IDENTITY,
  AUTH_SESSION,
  CHANNEL,
  KEY_PERSON,
  ONE_TIME_TOKEN,
  PASSKEY,
  PERSON,
  SPACE,
  SPACE_MEMBER,
  type Table,
  TEAM_STATE,
} from "../tables.ts";

// What the events of the team record of the rows they change, so that `parley audit` can replay the events and compare the
// result with the rows. Each column of these tables is here, or this does not compile.

/** How a column is recorded: its value, a hash of it if it is or hides a secret, or not at all for the reason given. */
type How = "value" | "digest" | { readonly notRecorded: string };

type RecordedTable = {
  readonly table: Table<Record<string, unknown>>;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, "value" | "digest">>;
  /** Rows end without an event when they expire or someone signs out: that only takes something away. */
  readonly endsAlone: boolean;
  /** Only these rows are compared. */
  readonly isCompared: (row: Values) => boolean;
};

function recorded<Row>(
  table: Table<Row>,
  key: ReadonlyArray<keyof Row & string>,
  how: { readonly [Column in keyof Row]: How },
  { endsAlone = false, isCompared = () => true }: Partial<Pick<RecordedTable, "endsAlone" | "isCompared">> = {},
): RecordedTable {
  const columns: Record<string, "value" | "digest"> = {};
  for (const [column, one] of Object.entries<How>(how)) if (typeof one === "string") columns[column] = one;
  return { table: table as unknown as RecordedTable["table"], key, columns, endsAlone, isCompared };
}

const PREFERENCE = { notRecorded: "a preference of its person, which gives nobody a right" };
const WORKING_STATE = { notRecorded: "working state, written without an event" };

const TABLES = {
  team_state: recorded(TEAM_STATE, ["id"], {
    id: "value",
    version: WORKING_STATE,
    built_in_agents: "value",
    upgrades_told: WORKING_STATE,
    strong_sign_in: "value",
  }),
  person: recorded(PERSON, ["id"], {
    id: "value",
    login: "value",
    name: "value",
    role: "value",
    status: "value",
    password_hash: "digest",
    login_proven: "value",
    locale: PREFERENCE,
    time_zone: PREFERENCE,
    quiet_hours: PREFERENCE,
    out_of_office_until: "value",
    delegate_id: "value",
    active_at: WORKING_STATE,
    created_at: "value",
    updated_at: WORKING_STATE,
  }),
  auth_identity: recorded(AUTH_IDENTITY, ["issuer", "subject"], {
    issuer: "value",
    subject: "value",
    person_id: "value",
    created_at: "value",
  }),
  passkey: recorded(PASSKEY, ["id"], {
    id: "value",
    person_id: "value",
    public_key: "value",
    counter: WORKING_STATE,
    transports: { notRecorded: "a hint for browsers" },
    name: "value",
    created_at: "value",
    used_at: WORKING_STATE,
  }),
  auth_session: recorded(
    AUTH_SESSION,
    ["id"],
    {
      id: "value",
      hash: "digest",
      person_id: "value",
      kind: "value",
      method: "value",
      user_agent: WORKING_STATE,
      address: WORKING_STATE,
      seen_from: WORKING_STATE,
      created_at: "value",
      seen_at: WORKING_STATE,
      expires_at: { notRecorded: "it moves with every day of use, written without an event" },
      confirmed_at: "value",
      proof: "value",
      sid: "value",
    },
    { endsAlone: true },
  ),
  api_key: recorded(API_KEY, ["id"], {
    id: "value",
    hash: "digest",
    kind: "value",
    name: "value",
    hint: { notRecorded: "only helps people to recognise the key" },
    space_id: "value",
    agent: "value",
    owner_id: "value",
    can_report: "value",
    created_at: "value",
    expires_at: "value",
    used_at: WORKING_STATE,
    revoked_at: "value",
  }),
  one_time_token: recorded(
    ONE_TIME_TOKEN,
    ["id"],
    {
      id: "value",
      hash: "digest",
      kind: "value",
      code: { notRecorded: "only codes of devices have one" },
      data: "digest",
      created_by: "value",
      person_id: "value",
      created_at: "value",
      expires_at: "value",
      used_at: "value",
    },
    // The others are written without an event, by anyone who begins to sign in.
    { endsAlone: true, isCompared: ({ kind }) => kind === "invite" || kind === "reset" },
  ),
  key_person: recorded(KEY_PERSON, ["key_id", "person_id", "part"], {
    key_id: "value",
    person_id: "value",
    part: "value",
  }),
  space: recorded(SPACE, ["id"], {
    id: "value",
    name: "value",
    open: "value",
    requires_second_person: "value",
    steps: "value",
    detail: "value",
    created_at: "value",
    archived_at: "value",
  }),
  space_member: recorded(SPACE_MEMBER, ["space_id", "person_id"], {
    space_id: "value",
    person_id: "value",
    created_at: "value",
  }),
  channel: recorded(CHANNEL, ["id"], {
    id: "value",
    person_id: "value",
    space_id: "value",
    kind: "value",
    target: "digest",
    fingerprint: "value",
    label: PREFERENCE,
    created_at: "value",
    unconfirmed_since: "value",
    verified_at: WORKING_STATE,
    failures: WORKING_STATE,
    failing_since: WORKING_STATE,
    last_error: WORKING_STATE,
    disabled_at: WORKING_STATE,
  }),
};

/** Everything that decides who may do what, except what a conversation's own record covers. */
export const RECORDED: Readonly<Record<string, RecordedTable>> = TABLES;

export type Values = Record<string, string | number | boolean | null>;

/** What a statement does to the rows of a recorded table. In `where` and `except` every column must match. */
export type RowChange =
  | { table: string; put: Values }
  | { table: string; where: Values; set: Values }
  | { table: string; where: Values; except?: Values; remove: true };

/** The recorded columns of a row, or of a part of one. */
export function recordedValues(name: string, row: object): Values {
  const recordedTable = RECORDED[name];
  const values: Values = {};
  if (!recordedTable) return values;
  const { columns, table } = recordedTable;
  for (const [column, value] of Object.entries(row)) {
    const how = columns[column];
    // SQLite has no booleans.
    if (how === "value") values[column] = table.types[column] === "boolean" && value !== null ? Boolean(value) : value;
    if (how === "digest") values[column] = value === null ? null : hash("sha256", String(value), "base64url");
  }
  return values;
}
