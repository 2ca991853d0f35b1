import { signNote } from "@svc/audit-log/signed-note";
import type { IntegrationTester } from "@svc/control-plane/opened-integration";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { BatchSender } from "@svc/outbox/batch-sender";
import { integrationDestination } from "@svc/outbox/integration-destination";
import { type BackgroundJob, jobOf } from "@svc/process/background-job";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import { Counter, Gauge, type Registry } from "prom-client";
import type { ServerParts } from "../start/server-parts.ts";
import { LiveIntegrations } from "./live-integrations.ts";
import { sampleRow } from "./sample-row.ts";

export type IntegrationJobParts = Pick<
  ServerParts,
  "store" | "outbound" | "secrets" | "registry" | "log" | "signer" | "news"
> & { readonly logWriter: Pick<ServerParts["logWriter"], "checkpoint"> };

type SendingParts = Pick<IntegrationJobParts, "store" | "outbound" | "signer" | "logWriter">;

/** Sends the rows of the log to integrations, while this process leads. */
export function integrationJob(
  parts: IntegrationJobParts,
  { controlPlane: { leads } }: ComposedControl,
): BackgroundJob & Pick<BatchSender, "behind"> {
  const { store, secrets, registry, log, news } = parts;
  const sending = sendingParts(parts);
  const live = new LiveIntegrations({ store, secrets, log, news });
  const labels = { labelNames: ["kind", "outcome"] as const, registers: [registry] };
  const attempts = new Counter({
    name: "svc_integration_batches_total",
    help: "Batches of rows that this process sent to integrations, by kind and outcome",
    ...labels,
  });
  const rows = new Counter({
    name: "svc_integration_rows_total",
    help: "Rows of the batches that this process sent to integrations, by kind and outcome",
    ...labels,
  });
  const sender = new BatchSender({
    destinations: async () => (await live.read()).map((each) => integrationDestination(sending, each)),
    store: store.integrationCourses,
    read: (query) => store.audit.forwardedRows(query),
    noteAttempt: (kind, outcome, count) => {
      attempts.inc({ kind, outcome });
      rows.inc({ kind, outcome }, count);
    },
    leads,
    clock: systemClock,
    timers: nodeTimers,
    log,
    random: () => Math.random(),
  });
  watch(sender, registry);
  return { ...jobOf("integrations", sender), behind: () => sender.behind() };
}

/** Tries connections at once, from whichever process is asked. */
export function integrationTester(parts: SendingParts): IntegrationTester {
  const sending = sendingParts(parts);
  return {
    test: async (org, { id, settings }) => {
      const startedMs = systemClock.nowMs();
      const latency = (): number => Math.round(systemClock.nowMs() - startedMs);
      if (settings.kind === "github") {
        const { readGithubFacts } = await import("@svc/outbox/github-facts");
        const { facts, ...said } = await readGithubFacts(parts.outbound, settings);
        return { succeeded: facts !== null, ...said, latency_ms: latency(), facts };
      }
      const destination = integrationDestination(sending, { id, org, revision: "", settings });
      const row = sampleRow(destination.format, { org, id, atMs: systemClock.now().getTime() });
      const outcome = await destination.send([row], new AbortController().signal);
      const { status, fault, answer } = outcome;
      const succeeded = outcome.kind === "delivered" && outcome.refused === 0;
      return { succeeded, status, fault, answer, latency_ms: latency(), facts: null };
    },
  };
}

function sendingParts({ store, outbound, signer, logWriter }: SendingParts) {
  return {
    dialer: outbound,
    clock: systemClock,
    evidence: {
      sign: (text: string) => signNote(signer, text),
      checkpointOver: async (logId: string, seq: number) => {
        // Of the log of this process. Others sign theirs by themselves.
        if (logId === store.logId) await logWriter.checkpoint();
        const [found] = await store.audit.checkpoints(logId, seq, 1);
        return found ?? null;
      },
    },
  };
}

/** Their names are public: they do not change within a major version. */
function watch(sender: BatchSender, registry: Registry): void {
  new Gauge({
    name: "svc_integrations",
    help: "Integrations that this process sends rows to, by kind; none while another process leads",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, { count }] of sender.lags()) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: "svc_integration_lag_seconds",
    help: "Seconds for which the integration of a kind that is furthest behind has not confirmed every row",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, { lagMs }] of sender.lags()) this.set({ kind }, lagMs / 1_000);
    },
  });
}
