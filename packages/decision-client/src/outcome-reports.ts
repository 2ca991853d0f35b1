import type { OutcomeStatus } from "@svc/contract/outcome-status";
import type { GatewayDocuments } from "./gateway-documents.ts";

/** How an allowed call ended, as its adapter saw it. */
export interface Outcome {
  readonly decisionId: string;
  readonly status: OutcomeStatus;
  /** Null for a call that never ran. */
  readonly durationMs: number | null;
}

/** Reports to the gateway how calls ended, after their answers. No client waits for a report. */
export interface OutcomeReports {
  /** Never throws. A report that cannot be delivered is lost: its decision then stays without an outcome. */
  readonly report: (outcome: Outcome) => void;
  /** Reports that a call never ran, which returns its charge. */
  readonly notExecuted: (decisionId: string) => void;
  /** Resolves when no report is in flight. */
  settled(): Promise<void>;
}

/**
 * Number of outcome reports in flight at once. Further ones are dropped and reported as lost.
 */
const MAX_REPORTS_IN_FLIGHT = 256;

export function createOutcomeReports(
  gateway: Pick<GatewayDocuments, "send">,
  onLost: (outcome: Outcome, error: unknown) => void,
): OutcomeReports {
  const inFlight = new Set<Promise<void>>();
  const report = (outcome: Outcome): void => {
    if (inFlight.size >= MAX_REPORTS_IN_FLIGHT) {
      onLost(outcome, new Error("too many reports in flight"));
      return;
    }
    const sent = send(gateway, outcome).catch((error: unknown) => onLost(outcome, error));
    inFlight.add(sent);
    void sent.then(() => inFlight.delete(sent));
  };
  return {
    report,
    notExecuted: (decisionId) => report({ decisionId, status: "not_executed", durationMs: null }),
    settled: async () => {
      await Promise.all(inFlight);
    },
  };
}

async function send(
  gateway: Pick<GatewayDocuments, "send">,
  { decisionId, status, durationMs }: Outcome,
): Promise<void> {
  const duration = durationMs === null ? {} : { duration_ms: Math.max(0, Math.round(durationMs)) };
  const body = JSON.stringify({ decision_id: decisionId, status, ...duration });
  await gateway.send({ method: "POST", path: "/api/v1/gateway/outcome", body });
}
