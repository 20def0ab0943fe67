import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { HubEvent } from "../hub/events.ts";

export type Metrics = {
  registry: Registry;
  onBatch: (size: number) => void;
  /** Follows the hub. Open asks and waiting calls are counted when the metrics are read. */
  follow: (
    hub: { subscribe: (listener: (event: HubEvent) => void) => unknown; waiting: () => number },
    open: () => Promise<number>,
  ) => void;
  followSockets: (connections: () => { sockets: number; buffered: number; readers: number }) => void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const registers = [registry];
  const asks = new Counter({ name: "parley_asks_total", help: "Asks that were made.", registers });
  const outcomes = new Counter({
    name: "parley_outcomes_total",
    help: "Asks that were settled, by outcome.",
    labelNames: ["outcome", "decided_by"],
    registers,
  });
  const time = new Histogram({
    name: "parley_time_to_answer_seconds",
    help: "From the ask to its answer or reply by a person.",
    buckets: [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800],
    registers,
  });
  const batches = new Histogram({
    name: "parley_commit_batch_size",
    help: "Commands in one commit.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  return {
    registry,
    onBatch: (size) => batches.observe(size),
    follow: (hub, open) => {
      hub.subscribe(({ action, ask }) => {
        if (action === "ask.created") asks.inc();
        if (!ask?.result || ask.decided_at === null || action === "ask.created") return;
        outcomes.inc({ outcome: ask.result.outcome, decided_by: ask.result.decided_by.kind });
        const { outcome } = ask.result;
        if (outcome === "answered" || outcome === "replied") time.observe((ask.decided_at - ask.created_at) / 1_000);
      });
      new Gauge({
        name: "parley_pending_asks",
        help: "Asks that wait for an answer.",
        registers,
        async collect() {
          this.set(await open());
        },
      });
      new Gauge({
        name: "parley_waiting_calls",
        help: "Calls of this process that wait for an answer.",
        registers,
        collect() {
          this.set(hub.waiting());
        },
      });
    },
    followSockets: (connections) => {
      new Gauge({
        name: "parley_sockets",
        help: "Sockets that are open.",
        registers,
        collect() {
          this.set(connections().sockets);
        },
      });
      new Gauge({
        name: "parley_socket_buffered_bytes",
        help: "Bytes that the slowest socket has not taken yet.",
        registers,
        collect() {
          this.set(connections().buffered);
        },
      });
      new Gauge({
        name: "parley_readers",
        help: "Conversations that sockets and event streams follow, each counted once per reader.",
        registers,
        collect() {
          this.set(connections().readers);
        },
      });
    },
  };
}
