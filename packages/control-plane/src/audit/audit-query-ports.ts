import type { AuditIndex } from "@svc/audit-index/audit-index";
import { NOTHING_CHANGED } from "@svc/contract/problem";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { ControlPlanePorts } from "../ports.ts";

/** What the operations take that show rows of the audit log. */
export interface AuditQueryPorts extends Pick<ControlPlanePorts, "log"> {
  readonly auditIndex: Pick<AuditIndex, "search" | "row" | "report" | "session">;
  readonly audit: Pick<AuditStore, "checkpoints">;
}

/** What a failed question means. */
export const NOT_ANSWERED =
  `The audit log or its index could not be read. ${NOTHING_CHANGED}. ` +
  "The index may be starting; try again.";
