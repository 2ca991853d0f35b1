import type { AuditIndex } from "@svc/audit-index/audit-index";
import { signRemoval } from "@svc/audit-log/removal";
import { faultFields } from "@svc/contract/fault-fields";
import { judgeClock } from "@svc/control-plane/clock-witness";
import { RetentionWork } from "@svc/control-plane/retention-work";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import type { ServerParts } from "./server-parts.ts";

export interface RetentionParts {
  readonly auditIndex: Pick<AuditIndex, "forget">;
  readonly leads: () => boolean;
}

/** Starts the removal of old rows, if the settings ask for it. Null: rows are kept for ever. */
export function startRetention(
  { settings, store, signer, log }: ServerParts,
  { auditIndex, leads }: RetentionParts,
): RetentionWork | null {
  const { auditRetentionDays: days } = settings;
  if (days === null) return null;
  const work = new RetentionWork({
    audit: store.audit,
    retention: store.retention,
    forget: (logId, { from, to }) => {
      auditIndex.forget({ logId, from, end: to + 1 }).catch((error: unknown) => {
        log.warn(faultFields(error), "the audit index still names removed rows; the next start tries again");
      });
    },
    signRemoval: (removal) => signRemoval(signer, removal),
    days,
    leads,
    judgeClock: (nowMs) => judgeClock(store, { nowMs, days }),
    clock: systemClock,
    timers: nodeTimers,
    log,
  });
  work.start();
  return work;
}
