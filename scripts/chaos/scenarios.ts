import { again } from "./again.ts";
import { againMcp } from "./again-mcp.ts";
import { agent } from "./agent.ts";
import { crowd } from "./crowd.ts";
import { deadlines } from "./deadlines.ts";
import { disk } from "./disk.ts";
import { foreign } from "./foreign.ts";
import { fuzz } from "./fuzz.ts";
import { fuzzMcp } from "./fuzz-mcp.ts";
import { fuzzSocket } from "./fuzz-socket.ts";
import { kill } from "./kill.ts";
import { leak } from "./leak.ts";
import { locked } from "./locked.ts";
import { model } from "./model.ts";
import { nodes } from "./nodes.ts";
import { race } from "./race.ts";
import { readers } from "./readers.ts";
import { resume } from "./resume.ts";
import type { Scenario } from "./scenario.ts";
import { soak } from "./soak.ts";
import { sync } from "./sync.ts";
import { turns } from "./turns.ts";

/** All there are, in the order of the list. */
export const SCENARIOS: Scenario[] = [
  kill,
  agent,
  turns,
  sync,
  nodes,
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
