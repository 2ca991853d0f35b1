import { signRemoval } from "@svc/audit-log/removal";
import { faultFields } from "@svc/contract/fault-fields";
import { judgeClock } from "@svc/control-plane/clock-witness";
import { RetentionWork } from "@svc/control-plane/retention-work";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import type { ServerParts } from "../start/server-parts.ts";

/** What removes old rows. None when the settings do not ask for it: rows are kept for ever. */
export function retentionWork(
  { settings, store, signer, log }: Pick<ServerParts, "settings" | "store" | "signer" | "log">,
  { api: { auditIndex }, controlPlane: { leads } }: ComposedControl,
): readonly RetentionWork[] {
  const { auditRetentionDays: days } = settings;
  if (days === null) return [];
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
  return [work];
}
