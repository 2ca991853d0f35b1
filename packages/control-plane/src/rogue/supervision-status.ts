import type { HealthStatus } from "@svc/contract/agent-health";
import type { Severity } from "@svc/contract/severity";

/** What a severity means for the calls of a session. */
export function supervisionStatus(severity: Severity): HealthStatus {
  switch (severity) {
    case "INFO":
      return "operational";
    case "WARNING":
      return "flagged";
    case "CRITICAL":
      return "tool_calls_suspended";
    case "EMERGENCY":
      return "terminated";
  }
}
