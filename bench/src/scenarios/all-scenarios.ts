import type { Scenario } from "../scenario.ts";
import { activation } from "./activation.ts";
import { agents } from "./agents.ts";
import { auditIndexCost } from "./audit-index-cost.ts";
import { auditQueriesPostgres, auditQueriesSqlite } from "./audit-queries.ts";
import { auditVerify } from "./audit-verify.ts";
import { clients } from "./clients.ts";
import { clusterThroughput } from "./cluster-throughput.ts";
import { connections } from "./connections.ts";
import { decide } from "./decide.ts";
import { deliveries } from "./deliveries.ts";
import { detectors } from "./detectors.ts";
import { engine } from "./engine.ts";
import { eventStream } from "./event-stream.ts";
import { executePostgres } from "./execute-postgres.ts";
import { executeSqlite } from "./execute-sqlite.ts";
import { exportBesideExecute } from "./export.ts";
import { fairness } from "./fairness.ts";
import { fastLane } from "./fast-lane.ts";
import { feedSnapshot } from "./feed-snapshot.ts";
import { graphql } from "./graphql.ts";
import { hookStart } from "./hook-start.ts";
import { json } from "./json.ts";
import { killFanOut } from "./kill-fan-out.ts";
import { killSwitchLookup } from "./kill-switch-lookup.ts";
import { policyLoad } from "./policy-load.ts";
import { policyLookup } from "./policy-lookup.ts";
import { policyStart } from "./policy-start.ts";
import { rego } from "./rego.ts";
import { replayBesideExecute } from "./replay.ts";
import { seamEnvoy } from "./seam-envoy.ts";
import { seamGuardrail } from "./seam-guardrail.ts";
import { seamMcp } from "./seam-mcp.ts";
import { seamNginx } from "./seam-nginx.ts";
import { start } from "./start.ts";

/** In the order in which they run and are shown. */
export const allScenarios: readonly Scenario[] = [
  executeSqlite,
  executePostgres,
  fastLane,
  engine,
  detectors,
  decide,
  rego,
  agents,
  killSwitchLookup,
  policyLookup,
  auditVerify,
  auditQueriesSqlite,
  auditQueriesPostgres,
  auditIndexCost,
  graphql,
  activation,
  killFanOut,
  clusterThroughput,
  policyLoad,
  policyStart,
  feedSnapshot,
  fairness,
  connections,
  exportBesideExecute,
  eventStream,
  deliveries,
  replayBesideExecute,
  json,
  start,
  hookStart,
  seamNginx,
  seamEnvoy,
  seamMcp,
  seamGuardrail,
  clients,
];
