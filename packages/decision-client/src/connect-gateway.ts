import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import type { AdapterSettings } from "./adapter-environment.ts";
import { connectHeartbeats } from "./connect-heartbeats.ts";
import { createDecisionClient, type DecisionClient } from "./decision-client.ts";
import { createGatewayDocuments } from "./gateway-documents.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { createOutcomeReports, type OutcomeReports } from "./outcome-reports.ts";
import { faultText } from "./transport-code.ts";

/** An adapter's connections to the gateway, for questions, reports and heartbeats. */
export interface ConnectedGateway extends DecisionClient {
  readonly reports: OutcomeReports;
  readonly heartbeats: Heartbeats;
}

/** `close` waits for the reports in flight, and denies pending decisions. */
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
  const reports = createOutcomeReports(documents, ({ decisionId, status }, error) =>
    warn(
      "outcome",
      { decision_id: decisionId, status, error: faultText(error) },
      "an outcome could not be reported",
    ),
  );
  return {
    decide: decisions.decide,
    reports,
    heartbeats,
    close: async () => {
      await heartbeats.close();
      await reports.settled();
      await documents.close();
      await decisions.close();
    },
  };
}
