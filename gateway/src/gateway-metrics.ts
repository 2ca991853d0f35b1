import { REASON_CODES, type Verdict } from "@svc/contract/verdict";
import { Counter, Gauge, type Registry } from "prom-client";
import { DurationHistogram } from "./duration-histogram.ts";

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

/** Verdicts with one pair of labels that the registry's counter does not know of yet. */
interface Tally {
  readonly decision: Verdict["decision"];
  readonly reason_code: string;
  count: number;
}

/**
 * The figures an on-call engineer looks at first. Names are public: they do not change within
 * a major version.
 */
export class GatewayMetrics {
  /** By reason code. The counter takes them at a scrape, because finding a count by its labels is slow. */
  readonly #tallies = new Map<string, Tally[]>();
  readonly #duration: DurationHistogram;
  readonly sessionChurn: Counter;
  readonly policyLoadFaults: Counter;

  constructor(registry: Registry, live: LiveFigures) {
    const registers = [registry];
    registerDecisions(registers, () => [...this.#tallies.values()].flat());
    this.#duration = new DurationHistogram({
      name: "svc_execute_duration_seconds",
      help: "Time from receipt to verdict",
      bucketsS: DURATION_BUCKETS_S,
      registry,
    });
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
    this.#tally(verdict.decision, reasonCode).count += 1;
    this.#duration.observe(durationMs / 1_000);
  }

  #tally(decision: Verdict["decision"], reason_code: string): Tally {
    let ofCode = this.#tallies.get(reason_code);
    if (ofCode === undefined) this.#tallies.set(reason_code, (ofCode = []));
    for (const known of ofCode) if (known.decision === decision) return known;
    const tally = { decision, reason_code, count: 0 };
    ofCode.push(tally);
    return tally;
  }
}

function registerDecisions(registers: Registry[], tallies: () => readonly Tally[]): void {
  const decisions = new Counter({
    name: "svc_decisions_total",
    help: "Verdicts given, by decision and reason code",
    labelNames: ["decision", "reason_code"],
    registers,
    collect() {
      for (const tally of tallies()) {
        const { decision, reason_code, count } = tally;
        tally.count = 0;
        this.inc({ decision, reason_code }, count);
      }
    },
  });
  // An alarm on a counter needs its initial zero.
  decisions.inc({ decision: "allow", reason_code: "none" }, 0);
  for (const reason_code of GATEWAY_REASON_CODES)
    decisions.inc({ decision: reason_code === "approval_required" ? "pause" : "deny", reason_code }, 0);
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
