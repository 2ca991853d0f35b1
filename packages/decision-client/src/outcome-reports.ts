import type { OutcomeStatus } from "@svc/contract/outcome";
import type { GatewayDocuments } from "./gateway-documents.ts";

/** How an allowed call ended, as its adapter saw it. */
export interface Outcome {
  readonly decisionId: string;
  readonly status: OutcomeStatus;
  /** Null for a call that never ran. */
  readonly durationMs: number | null;
}

/** Tells the gateway how calls ended, behind the answers: no client waits for it. */
export interface OutcomeReports {
  /** Never throws. A report that cannot be delivered is lost: its decision then stays without an outcome. */
  report(outcome: Outcome): void;
  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void>;
}

/**
 * Outcome reports on their way to the gateway at once, as count; more are left out, and told as lost.
 */
const MAX_REPORTS_IN_FLIGHT = 256;

export function createOutcomeReports(
  gateway: Pick<GatewayDocuments, "send">,
  onLost: (outcome: Outcome, error: unknown) => void,
): OutcomeReports {
  const inFlight = new Set<Promise<void>>();
  return {
    report: (outcome) => {
      if (inFlight.size >= MAX_REPORTS_IN_FLIGHT) {
        onLost(outcome, new Error("too many reports on their way"));
        return;
      }
      const sent = send(gateway, outcome).catch((error: unknown) => onLost(outcome, error));
      inFlight.add(sent);
      void sent.then(() => inFlight.delete(sent));
    },
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
