import type { Decide } from "@svc/contract/decide";
import type { AdapterSettings } from "@svc/decision-client/adapter-environment";
import { connectHeartbeats } from "@svc/decision-client/connect-heartbeats";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { createGatewayDocuments } from "@svc/decision-client/gateway-documents";
import { notingSessions } from "@svc/decision-client/heartbeats";
import { createOutcomeReports } from "@svc/decision-client/outcome-reports";
import { faultText } from "@svc/decision-client/transport-code";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";

/** The adapter's connection to the gateway, for questions and reports. */
export interface ConnectedGateway {
  readonly decide: Decide;
  /** Returns the charge of an allowed call. Never throws, and nobody waits for it. */
  readonly reportNotExecuted: (decisionId: string) => void;
  /** Waits for the reports in flight. Pending decisions are denied. */
  close(): Promise<void>;
}

export function connectGateway(
  { client, heartbeat }: Pick<AdapterSettings, "client" | "heartbeat">,
  logger: Logger,
): ConnectedGateway {
  const warn = createLimitedWarnings(logger);
  const decisions = createDecisionClient(client, {
    monotonicMs: () => performance.now(),
    onFault: ({ reason, reason_code }) =>
      warn(reason_code, { reason_code, gateway: client.gatewayUrl.origin }, reason),
  });
  const heartbeats = connectHeartbeats({ client, heartbeat, warn });
  const documents = createGatewayDocuments(client);
  const reports = createOutcomeReports(documents, ({ decisionId }, error) =>
    warn(
      "outcome",
      { decision_id: decisionId, error: faultText(error) },
      "a call that never ran could not be reported",
    ),
  );
  return {
    decide: notingSessions(decisions.decide, heartbeats),
    reportNotExecuted: (decisionId) =>
      reports.report({ decisionId, status: "not_executed", durationMs: null }),
    close: async () => {
      await heartbeats.close();
      await reports.settled();
      await documents.close();
      await decisions.close();
    },
  };
}
