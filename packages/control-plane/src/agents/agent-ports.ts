import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { ControlPlanePorts } from "../ports.ts";

/** What the operations on agents take. */
export interface AgentPorts
  extends Pick<ControlPlanePorts, "clock" | "timers" | "log" | "agents" | "propagation" | "knownNames"> {
  /** Who called, and when. */
  readonly auditIndex: Pick<AuditIndex, "agents" | "agentSessions">;
}
