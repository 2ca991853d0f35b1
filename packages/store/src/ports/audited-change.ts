/**
 * What every change of control state carries. A change is one transaction of the entity, its control events
 * and its audit row: the store writes all of them or nothing.
 */
export interface AuditedChange {
  readonly org: string;
  /** Canonical JSON text of the audit row, appended to this writer's log when the change takes place. */
  readonly auditRow: string;
}
