import { ALERT_CONDITIONS, type AlertCondition } from "@svc/contract/alert";
import type { OwnedAlert } from "@svc/store/ports/alert-store";
import { canonicalJson } from "@svc/text/canonical-json";
import { WATCHED_CONDITIONS } from "./alert-conditions.ts";
import type { AlertFacts } from "./alert-facts.ts";
import type { Finding } from "./finding.ts";

/**
 * Milliseconds between two looks beyond which nobody knows what was in between: the process was paused, or
 * did not lead. What has to last begins to be measured anew.
 */
const MAX_GAP_MS = 30_000;

/** Milliseconds between two changes of what an alert says, so that a growing count makes few rows. */
const CHANGES_EVERY_MS = 60_000;

export interface FoundCondition {
  readonly condition: AlertCondition;
  readonly finding: Finding;
}

/** What an alert is about now, where it says something else. */
export interface ChangedAlert {
  readonly alert: OwnedAlert;
  readonly finding: Finding;
}

export interface AlertSteps {
  readonly open: readonly FoundCondition[];
  readonly change: readonly ChangedAlert[];
  readonly resolve: readonly OwnedAlert[];
}

/**
 * Says which alerts are to be opened, changed and resolved. It remembers only since when a condition lasts,
 * since when it is over, and when an alert changed last, by the monotonic clock. Which alerts there are, the
 * store says at each look.
 */
export class AlertWatch {
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Since when a condition is true of a subject that has no alert. */
  #lasting = new Map<string, number>();
  /** Since when the condition of an alert is over. */
  #over = new Map<string, number>();
  /** When what an alert says was changed last. */
  readonly #changed = new Map<string, number>();

  look(nowMs: number, facts: AlertFacts, unresolved: readonly OwnedAlert[]): AlertSteps {
    if (nowMs - this.#lookedAtMs > MAX_GAP_MS) {
      this.#lasting.clear();
      this.#over.clear();
    }
    this.#lookedAtMs = nowMs;
    const known = new Map(unresolved.map((alert) => [keyOfAlert(alert), alert]));
    const open: FoundCondition[] = [];
    const change: ChangedAlert[] = [];
    const resolve: OwnedAlert[] = [];
    const lasting = new Map<string, number>();
    const over = new Map<string, number>();
    for (const key of this.#changed.keys()) if (!known.has(key)) this.#changed.delete(key);
    for (const condition of ALERT_CONDITIONS) {
      const { find, opensAfterMs, clearsAfterMs } = WATCHED_CONDITIONS[condition];
      const findings = find(facts);
      if (findings === null) continue;
      const found = new Map(findings.map((finding) => [keyOf(condition, finding), finding]));
      for (const [key, finding] of found) {
        const alert = known.get(key);
        if (alert !== undefined && this.#isDue(key, nowMs, { alert, finding }))
          change.push({ alert, finding });
        if (alert !== undefined || finding.onlyHolds === true) continue;
        const sinceMs = this.#lasting.get(key) ?? nowMs;
        lasting.set(key, sinceMs);
        if (nowMs - sinceMs < opensAfterMs) continue;
        open.push({ condition, finding });
        this.#changed.set(key, nowMs);
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
    return { open, change, resolve };
  }

  /** Whether an alert is to say what is found now: a severity at once, all else at most once a minute. */
  #isDue(key: string, nowMs: number, { alert: { record }, finding }: ChangedAlert): boolean {
    const { summary, details } = finding;
    if (record.summary === summary && canonicalJson(record.details) === canonicalJson(details)) return false;
    const isOtherSeverity = record.details["severity"] !== details["severity"];
    const changedMs = this.#changed.get(key) ?? Number.NEGATIVE_INFINITY;
    if (!isOtherSeverity && nowMs - changedMs < CHANGES_EVERY_MS) return false;
    this.#changed.set(key, nowMs);
    return true;
  }
}

function keyOfAlert({ org, record }: OwnedAlert): string {
  return keyOf(record.condition, { org, subject: record.subject });
}

function keyOf(condition: AlertCondition, { org, subject }: Pick<Finding, "org" | "subject">): string {
  return JSON.stringify([condition, org, subject]);
}
