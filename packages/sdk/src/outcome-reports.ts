import type { ClientSettings } from "./client-settings.ts";
import { foundValue } from "./found-value.ts";
import { postToGateway } from "./gateway.ts";
import { inProcessGateway, isTestDecision } from "./in-process-gateway.ts";

/** How an allowed call ended. */
export interface Outcome {
  readonly decisionId: string;
  /** `not_executed` gives step and cost back. */
  readonly status: "failed" | "not_executed" | "succeeded";
  /** Milliseconds that the call took; null, or left out, for one that never ran. */
  readonly durationMs?: number | null | undefined;
}

const STATUSES: ReadonlySet<unknown> = new Set<Outcome["status"]>(["succeeded", "failed", "not_executed"]);

/** @throws TypeError that names the member */
export function requireOutcome({ decisionId, status, durationMs = null }: Outcome): void {
  if (typeof decisionId !== "string" || decisionId === "")
    throw new TypeError(`decisionId: expected the decision_id of an allow, found ${foundValue(decisionId)}`);
  if (!STATUSES.has(status))
    throw new TypeError(`status: expected succeeded, failed or not_executed, found ${foundValue(status)}`);
  const isDuration = typeof durationMs === "number" && Number.isFinite(durationMs) && durationMs >= 0;
  if (durationMs !== null && !isDuration)
    throw new TypeError(`durationMs: expected milliseconds from 0, or null, found ${foundValue(durationMs)}`);
}

const OUTCOME_PATH = "/api/v1/gateway/outcome";

/** Milliseconds for one report. */
const REPORT_TIMEOUT_MS = 5_000;

/** Number of reports in flight at once. Further ones are lost, and reported as lost. */
const MAX_IN_FLIGHT = 256;

/** Tells the gateway how calls ended. No call waits for a report. */
export class OutcomeReports {
  readonly #settings: ClientSettings;
  readonly #onLost: (outcome: Outcome, error: unknown) => void;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(settings: ClientSettings, onLost: (outcome: Outcome, error: unknown) => void) {
    this.#settings = settings;
    this.#onLost = onLost;
  }

  /** Never throws. */
  report(outcome: Outcome): void {
    if (this.#inFlight.size >= MAX_IN_FLIGHT)
      return this.#lose(outcome, new Error(`${String(MAX_IN_FLIGHT)} reports are in flight`));
    const sent = this.#send(outcome).catch((error: unknown) => this.#lose(outcome, error));
    this.#inFlight.add(sent);
    void sent.then(() => this.#inFlight.delete(sent));
  }

  /** Resolves when no report is in flight. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  async #send({ decisionId, status, durationMs = null }: Outcome): Promise<void> {
    // Once the test is over, nobody asks how the call ended.
    if (isTestDecision(decisionId) && inProcessGateway() === null) return;
    const duration = durationMs === null ? {} : { duration_ms: Math.max(0, Math.round(durationMs)) };
    const body = JSON.stringify({ decision_id: decisionId, status, ...duration });
    const signal = AbortSignal.timeout(REPORT_TIMEOUT_MS);
    const answer = await postToGateway(this.#settings, { path: OUTCOME_PATH, body, signal });
    await answer.body?.cancel();
    if (answer.status !== 200) throw new Error(`the gateway answered with status ${String(answer.status)}`);
  }

  #lose(outcome: Outcome, error: unknown): void {
    try {
      this.#onLost(outcome, error);
    } catch {
      // A report is lost already. An observer that fails must not fail the call, too.
    }
  }
}
