import { ALERT_CONDITIONS, type AlertCondition } from "@svc/contract/alert";
import type { OwnedAlert } from "@svc/store/ports/alert-store";
import { WATCHED_CONDITIONS } from "./alert-conditions.ts";
import type { AlertFacts } from "./alert-facts.ts";
import type { Finding } from "./finding.ts";

/**
 * Milliseconds between two looks beyond which nobody knows what was in between: the process was paused, or
 * did not lead. What has to last begins to be measured anew.
 */
const MAX_GAP_MS = 30_000;

export interface FoundCondition {
  readonly condition: AlertCondition;
  readonly finding: Finding;
}

export interface AlertSteps {
  readonly open: readonly FoundCondition[];
  readonly resolve: readonly OwnedAlert[];
}

/**
 * Says which alerts are to be opened and resolved. It remembers only since when a condition lasts, and since
 * when it is over, by the monotonic clock. Which alerts there are, the store says at each look.
 */
export class AlertWatch {
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Since when a condition is true of a subject that has no alert. */
  #lasting = new Map<string, number>();
  /** Since when the condition of an alert is over. */
  #over = new Map<string, number>();

  look(nowMs: number, facts: AlertFacts, unresolved: readonly OwnedAlert[]): AlertSteps {
    if (nowMs - this.#lookedAtMs > MAX_GAP_MS) {
      this.#lasting.clear();
      this.#over.clear();
    }
    this.#lookedAtMs = nowMs;
    const known = new Map(unresolved.map((alert) => [keyOfAlert(alert), alert]));
    const open: FoundCondition[] = [];
    const resolve: OwnedAlert[] = [];
    const lasting = new Map<string, number>();
    const over = new Map<string, number>();
    for (const condition of ALERT_CONDITIONS) {
      const { find, opensAfterMs, clearsAfterMs } = WATCHED_CONDITIONS[condition];
      const findings = find(facts);
      if (findings === null) continue;
      const found = new Map(findings.map((finding) => [keyOf(condition, finding), finding]));
      for (const [key, finding] of found) {
        if (known.has(key) || finding.onlyHolds === true) continue;
        const sinceMs = this.#lasting.get(key) ?? nowMs;
        lasting.set(key, sinceMs);
        if (nowMs - sinceMs >= opensAfterMs) open.push({ condition, finding });
      }
      for (const [key, alert] of known) {
        if (alert.record.condition !== condition || found.has(key)) continue;
        const sinceMs = this.#over.get(key) ?? nowMs;
        over.set(key, sinceMs);
        if (nowMs - sinceMs >= clearsAfterMs) resolve.push(alert);
      }
    }
    this.#lasting = lasting;
    this.#over = over;
    return { open, resolve };
  }
}

function keyOfAlert({ org, record }: OwnedAlert): string {
  return keyOf(record.condition, { org, subject: record.subject });
}

function keyOf(condition: AlertCondition, { org, subject }: Pick<Finding, "org" | "subject">): string {
  return JSON.stringify([condition, org, subject]);
}
