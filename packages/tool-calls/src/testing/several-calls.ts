import type { Verdict } from "@svc/contract/verdict";

/** Verdicts on the calls of one answer of a model, and what every adapter must make of the whole answer. */
export interface SeveralCalls {
  readonly name: string;
  /** One verdict for each call, in order. */
  readonly verdicts: readonly Verdict[];
  /** The verdict on the answer. */
  readonly want: Verdict["decision"];
  /** How many of the calls the gateway is asked about. */
  readonly asked: number;
  /** Decisions that allowed a call which then does not run. */
  readonly notExecuted: readonly string[];
}

const allow = (id: string): Verdict => ({ decision: "allow", decision_id: id, args_constrained: false });
const deny: Verdict = {
  decision: "deny",
  decision_id: "g.deny",
  args_constrained: false,
  reason: "Not this one.",
  reason_code: "rule",
  fail_closed: false,
};
const pause: Verdict = {
  decision: "pause",
  decision_id: "g.pause",
  args_constrained: false,
  reason: "A person decides.",
  reason_code: "approval_required",
  approval_url: "http://gateway.example/approvals/g.pause",
};

/** One deny denies the whole answer, so nobody is asked to approve what must be denied. */
export const SEVERAL_CALLS: readonly SeveralCalls[] = [
  {
    name: "allow, allow",
    verdicts: [allow("g.1"), allow("g.2")],
    want: "allow",
    asked: 2,
    notExecuted: [],
  },
  { name: "pause, deny", verdicts: [pause, deny], want: "deny", asked: 2, notExecuted: [] },
  {
    name: "allow, pause, allow, deny, allow",
    verdicts: [allow("g.1"), pause, allow("g.2"), deny, allow("g.3")],
    want: "deny",
    asked: 4,
    notExecuted: ["g.1", "g.2"],
  },
  { name: "deny, pause", verdicts: [deny, pause], want: "deny", asked: 1, notExecuted: [] },
  {
    name: "pause, allow",
    verdicts: [pause, allow("g.1")],
    want: "pause",
    asked: 2,
    notExecuted: ["g.1"],
  },
  {
    name: "allow, pause, pause",
    verdicts: [allow("g.1"), pause, pause],
    want: "pause",
    asked: 3,
    notExecuted: ["g.1"],
  },
];
