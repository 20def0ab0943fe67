import { again } from "./again/again.ts";
import { againMcp } from "./again-mcp/again-mcp.ts";
import { agent } from "./agent/agent.ts";
import { crowd } from "./crowd/crowd.ts";
import { deadlines } from "./deadlines/deadlines.ts";
import { disk } from "./disk/disk.ts";
import { foreign } from "./foreign/foreign.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { fuzzMcp } from "./fuzz-mcp/fuzz-mcp.ts";
import { fuzzSocket } from "./fuzz-socket/fuzz-socket.ts";
import { kill } from "./kill/kill.ts";
import type { Scenario } from "./kit/scenario.ts";
import { leak } from "./leak/leak.ts";
import { locked } from "./locked/locked.ts";
import { model } from "./model/model.ts";
import { nodes } from "./nodes/nodes.ts";
import { notify } from "./notify/notify.ts";
import { race } from "./race/race.ts";
import { readers } from "./readers/readers.ts";
import { resume } from "./resume/resume.ts";
import { rolling } from "./rolling/rolling.ts";
import { search } from "./search/search.ts";
import { soak } from "./soak/soak.ts";
import { sync } from "./sync/sync.ts";
import { turns } from "./turns/turns.ts";

/** All scenarios, in the order in which they are listed. */
export const SCENARIOS: Scenario[] = [
  kill,
  notify,
  search,
  agent,
  turns,
  sync,
  nodes,
  rolling,
  locked,
  disk,
  foreign,
  fuzz,
  fuzzSocket,
  fuzzMcp,
  leak,
  race,
  model,
  again,
  againMcp,
  resume,
  crowd,
  readers,
  deadlines,
  soak,
];
