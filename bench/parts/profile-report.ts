import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename } from "node:path";

type Frame = { functionName: string; url: string; lineNumber: number; columnNumber: number };
type Node = { id: number; callFrame: Frame; children?: number[] };
export type CpuProfile = { nodes: Node[]; startTime: number; samples: number[]; timeDeltas: number[] };
export type TimeWindow = { from: number; until: number; count: number; map: string };

/** Groups of files. The first pattern that matches wins. */
const GROUPS: Array<[group: string, pattern: RegExp]> = [
  ["sqlite driver", /node_modules\/better-sqlite3/],
  ["pg driver", /node_modules\/(pg|pg-[^/]+|postgres-[^/]+)\//],
  ["prisma", /@prisma|generated/],
  ["zod", /node_modules\/zod/],
  ["metrics", /node_modules\/prom-client|lib\/http\/metrics/],
  ["lru-cache", /node_modules\/lru-cache/],
  ["lib/db", /^lib\/db\//],
  ["lib/hub", /^lib\/hub\//],
  ["lib/domain, lib/protocol", /^lib\/(domain|protocol)\//],
  ["lib/http", /^lib\/http\//],
  ["node crypto", /^node:internal\/crypto/],
  [
    "node http, net, streams",
    /^node:(internal\/(streams|stream|net|http|timers|js_stream|dns)|_http|net|events|_stream|stream)/,
  ],
  ["node web streams, fetch, abort", /^node:internal\/(webstreams|deps\/undici|abort|event_target|url|encoding|blob)/],
  ["node, other", /^node:/],
];

/** Self time by group and by function within the window, as a share of the busy time. */
export function profileReport(profile: CpuProfile, { from, until, count, map }: TimeWindow): string {
  const place = placer(map);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const [groups, functions, callers] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  let busy = 0;
  let idle = 0;
  let at = profile.startTime;
  profile.samples.forEach((id, index) => {
    const took = profile.timeDeltas[index] ?? 0;
    at += took;
    const node = nodes.get(id);
    if (!node || at < from || at > until) return;
    if (node.callFrame.functionName === "(idle)") {
      idle += took;
      return;
    }
    busy += took;
    const found = functionOf(node, nodes, parents, place);
    add(groups, found.group, took);
    add(functions, found.name, took);
    for (const caller of ownFunctions(node, nodes, parents, place)) add(callers, caller, took);
  });
  const lines = (title: string, times: Map<string, number>, max: number) => [
    `\n${title}`,
    ...[...times]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, max)
      .map(
        ([name, us]) =>
          `  ${((us / busy) * 100).toFixed(1).padStart(5)} %  ${(us / count).toFixed(1).padStart(6)} µs  ${name}`,
      ),
  ];
  return [
    `busy ${((busy / (busy + idle)) * 100).toFixed(0)} % of the time; shares of the busy time, µs a round trip`,
    ...lines("by group (self time)", groups, 30),
    ...lines("by function (self time)", functions, 40),
    ...lines("by function of our own (with all that it calls)", callers, 50),
  ].join("\n");
}

type Place = (frame: Frame) => string;

/** A frame without a file (a native or built-in function) counts for its caller. */
function functionOf(node: Node, nodes: Map<number, Node>, parents: Map<number, number>, place: Place) {
  const { functionName } = node.callFrame;
  if (functionName === "(garbage collector)") return { group: "garbage collector", name: functionName };
  if (functionName === "(program)") return { group: "native, outside of JavaScript", name: functionName };
  const file = place(node.callFrame);
  const name = functionName || "(anonymous)";
  if (file) return { group: groupOf(file), name: `${name}  ${file}:${node.callFrame.lineNumber + 1}` };
  const parent = nodes.get(parents.get(node.id) ?? -1);
  const above = parent ? place(parent.callFrame) : "";
  const group =
    /^lib\/db\/(sqlite|database)/.test(above) || /better-sqlite3/.test(above) ? "sqlite driver" : groupOf(above);
  return { group, name: `${name} [native]  from ${parent?.callFrame.functionName ?? ""} ${above}` };
}

/** Parley's functions on the stack, each once. */
function ownFunctions(node: Node, nodes: Map<number, Node>, parents: Map<number, number>, place: Place): Set<string> {
  const found = new Set<string>();
  for (let at: Node | undefined = node; at; at = nodes.get(parents.get(at.id) ?? -1)) {
    const file = place(at.callFrame);
    if (file.startsWith("lib/") || file.startsWith("server.ts"))
      found.add(`${at.callFrame.functionName || "(anonymous)"}  ${file}`);
  }
  return found;
}

function groupOf(file: string): string {
  return GROUPS.find(([, pattern]) => pattern.test(file))?.[0] ?? (file || "native, outside of JavaScript");
}

/** The source file of a frame, relative to the project, or "" if there is none. */
function placer(map: string): Place {
  const sources = new SourceMap(JSON.parse(readFileSync(map, "utf8")));
  const bundle = basename(map, ".map");
  const cache = new Map<string, string>();
  return ({ url, lineNumber, columnNumber }) => {
    const key = `${url}:${lineNumber}:${columnNumber}`;
    const found = cache.get(key) ?? placeOf(url, lineNumber, columnNumber);
    cache.set(key, found);
    return found;
  };

  function placeOf(url: string, line: number, column: number): string {
    if (!url.endsWith(bundle)) return url.replace(/^.*\/node_modules\//, "node_modules/");
    const entry = sources.findEntry(line, column);
    return "originalSource" in entry
      ? entry.originalSource.replace(/^.*?((lib|node_modules)\/|server\.ts)/, "$1")
      : bundle;
  }
}

function add(times: Map<string, number>, name: string, us: number): void {
  times.set(name, (times.get(name) ?? 0) + us);
}
