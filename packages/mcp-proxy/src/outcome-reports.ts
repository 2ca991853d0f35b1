import type { GatewayApi, Outcome } from "./gateway-api.ts";
import { MAX_REPORTS_IN_FLIGHT } from "./limits.ts";

/** Tells the gateway how calls ended, behind the answers: no client waits for it. */
export interface OutcomeReports {
  /** Never throws. A report that cannot be delivered is lost: its decision then stays without an outcome. */
  report(outcome: Outcome): void;
  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void>;
}

export function createOutcomeReports(
  api: Pick<GatewayApi, "reportOutcome">,
  onLost: (outcome: Outcome, error: unknown) => void,
): OutcomeReports {
  const inFlight = new Set<Promise<void>>();
  return {
    report: (outcome) => {
      if (inFlight.size >= MAX_REPORTS_IN_FLIGHT) {
        onLost(outcome, new Error("too many reports on their way"));
        return;
      }
      const sent = api.reportOutcome(outcome).catch((error: unknown) => onLost(outcome, error));
      inFlight.add(sent);
      void sent.then(() => inFlight.delete(sent));
    },
    settled: async () => {
      await Promise.all(inFlight);
    },
  };
}
