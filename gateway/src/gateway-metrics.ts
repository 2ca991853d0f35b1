import { REASON_CODES, type Verdict } from "@svc/contract/verdict";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Seconds; from the half-millisecond of a warm decision to the audit deadline. */
const DURATION_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The codes that a gateway gives. Adapters give the codes behind them. */
const GATEWAY_REASON_CODES = REASON_CODES.slice(0, REASON_CODES.indexOf("gateway_unreachable"));

/** Read when somebody asks for the metrics. */
interface LiveFigures {
  readonly ageMs: () => number;
  readonly killSwitches: () => number;
  readonly policiesPending: () => number;
}

/**
 * The figures an on-call engineer looks at first. Names are public: they do not change within
 * a major version.
 */
export class GatewayMetrics {
  readonly #decisions: Counter<"decision" | "reason_code">;
  /** One child of the counter for each pair of labels used so far: finding a child by labels is slow. */
  readonly #children = new Map<string, { inc(): void }>();
  readonly #duration: Histogram;
  readonly sessionChurn: Counter;
  readonly policyLoadFaults: Counter;

  constructor(registry: Registry, live: LiveFigures) {
    const registers = [registry];
    this.#decisions = new Counter({
      name: "svc_decisions_total",
      help: "Verdicts given, by decision and reason code",
      labelNames: ["decision", "reason_code"],
      registers,
    });
    // An alarm on a counter needs its initial zero.
    this.#decisions.inc({ decision: "allow", reason_code: "none" }, 0);
    for (const reason_code of GATEWAY_REASON_CODES)
      this.#decisions.inc(
        { decision: reason_code === "approval_required" ? "pause" : "deny", reason_code },
        0,
      );
    this.#duration = histogram(registers, "svc_execute_duration_seconds", "Time from receipt to verdict");
    this.sessionChurn = counter(
      registers,
      "svc_session_churn_total",
      "Agents seen opening sessions faster than conversations begin",
    );
    this.policyLoadFaults = counter(
      registers,
      "svc_policy_load_faults_total",
      "Times that compiling a version of a policy failed for reasons that are not its document's",
    );
    const pendingHelp = "Policies whose latest version is not in force at this gateway yet";
    gauge(registers, "svc_policies_pending", pendingHelp, live.policiesPending);
    gauge(registers, "svc_control_state_age_seconds", "Age of the control state", () => live.ageMs() / 1_000);
    gauge(registers, "svc_kill_switches_active", "Kill switches in force at this gateway", live.killSwitches);
  }

  decided(verdict: Verdict, durationMs: number): void {
    const reasonCode = verdict.decision === "allow" ? "none" : verdict.reason_code;
    this.#child(verdict.decision, reasonCode).inc();
    this.#duration.observe(durationMs / 1_000);
  }

  #child(decision: string, reasonCode: string): { inc(): void } {
    const key = `${decision} ${reasonCode}`;
    let child = this.#children.get(key);
    if (child === undefined) {
      child = this.#decisions.labels({ decision, reason_code: reasonCode });
      this.#children.set(key, child);
    }
    return child;
  }
}

function histogram(registers: Registry[], name: string, help: string): Histogram {
  return new Histogram({ name, help, buckets: DURATION_BUCKETS_S, registers });
}

function counter(registers: Registry[], name: string, help: string): Counter {
  return new Counter({ name, help, registers });
}

function gauge(registers: Registry[], name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}
