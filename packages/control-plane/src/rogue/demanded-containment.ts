import type { Containment, SupervisedSession } from "@svc/store/ports/supervision-store";

/** What the severity of a session demands. */
export function demandedContainment({ severity }: Pick<SupervisedSession, "severity">): Containment {
  switch (severity) {
    case "INFO":
    case "WARNING":
      return "none";
    case "CRITICAL":
      return "suspended";
    case "EMERGENCY":
      return "terminated";
  }
}
