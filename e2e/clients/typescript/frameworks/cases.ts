/** One call that the scripted model makes. */
export interface ModelCall {
  readonly id: string;
  readonly tool: "pay";
  readonly args: Readonly<Record<string, unknown>>;
}

/** One case: what the scripted gateway answers, and what must come of it with every framework. */
export interface Case {
  /** The answers in turn; the last one stays. Each is the JSON text of a 200, or a fault of transport. */
  readonly answers?: readonly (object | string | null | Fault)[];
  readonly client?: "raises" | "rejects" | "silent" | "empty" | "sound";
  readonly calls?: "one" | "three";
  /** What the tool got, each time it ran. None without it. */
  readonly runs?: readonly object[];
  /** What the model read of each call. */
  readonly reads: readonly RegExp[];
  /** For frameworks that pause: what came of it when a person let the run go on. */
  readonly resumed?: {
    readonly paused: boolean;
    readonly runs: readonly object[];
    readonly reads: readonly RegExp[];
  };
}

export class Fault {
  readonly kind: "hang" | "500" | "html" | "empty";
  constructor(kind: Fault["kind"]) {
    this.kind = kind;
  }
}

const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };
const DENY = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: "Payments above 100 are denied",
  reason_code: "rule",
  rule_id: "cap",
  retryable: false,
  fail_closed: false,
};
const PAUSE = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "Ask first.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/apr_1",
};
const shaped = (args: unknown) => ({ ...ALLOW, args_constrained: true, shaped_args: args });

const CALL = { amount: 10, to: "a" };
const DENIED = /pay was denied \(rule cap\): Payments above 100 are denied\. It was not run\. The same call/;
const FAULT = /pay was denied: .+ No decision could be obtained, so it was not run\./;
export const UNFIT = /the tool does not take them: .+ it was not run\./;
const PAUSED = /pay was not run, because a person must approve it first/;
/** Answers by the amount of the call. */
export const BY_AMOUNT = "by amount";
/** A rewrite that no tool takes, for traps whose name begins like this. */
export const MISFIT = { begins: "a rewrite", answer: shaped({ amount: "zz" }) };
export const byAmount = (amount: unknown): object =>
  typeof amount === "number" && amount > 100 ? DENY : { ...ALLOW, decision_id: `g.${String(amount)}` };

export const CASES: Readonly<Record<string, Case>> = {
  allow: { answers: [ALLOW], runs: [CALL], reads: [/paid 10/] },
  deny: { answers: [DENY], reads: [DENIED] },
  rewrite: { answers: [shaped({ amount: 5, to: "b" })], runs: [{ amount: 5, to: "b" }], reads: [/paid 5/] },
  "a rewrite that the tool does not take": { answers: [shaped({ amount: "zz", to: "b" })], reads: [UNFIT] },
  "a rewrite without a member that the tool needs": { answers: [shaped({ amount: 5 })], reads: [UNFIT] },
  "a rewrite that is a list": { answers: [shaped([1])], reads: [FAULT] },
  "an answer that is a text": { answers: ["allow"], reads: [FAULT] },
  "an answer that is null": { answers: [null], reads: [FAULT] },
  "an answer without members": { answers: [{}], reads: [FAULT] },
  "a decision in capitals": { answers: [{ ...ALLOW, decision: "ALLOW" }], reads: [FAULT] },
  "an unknown decision": { answers: [{ ...ALLOW, decision: "permit" }], reads: [FAULT] },
  "a decision that is true": { answers: [{ ...ALLOW, decision: true }], reads: [FAULT] },
  "a client that throws": { client: "raises", reads: [FAULT] },
  "a client that rejects": { client: "rejects", reads: [FAULT] },
  "a client that never answers": { client: "silent", reads: [FAULT] },
  "a client that answers nothing": { client: "empty", reads: [FAULT] },
  hang: { answers: [new Fault("hang")], reads: [FAULT] },
  "status 500": { answers: [new Fault("500")], reads: [FAULT] },
  "a page of HTML": { answers: [new Fault("html")], reads: [FAULT] },
  "an empty 200": { answers: [new Fault("empty")], reads: [FAULT] },
  refused: { reads: [FAULT] },
  "parallel calls": {
    calls: "three",
    answers: [BY_AMOUNT],
    runs: [
      { amount: 10, to: "a" },
      { amount: 20, to: "a" },
    ],
    reads: [/paid 10/, DENIED, /paid 20/],
  },
  "a pause that is approved": {
    answers: [PAUSE, ALLOW],
    reads: [PAUSED],
    resumed: { paused: false, runs: [CALL], reads: [/paid 10/] },
  },
  "a pause that only the caller approves": {
    answers: [PAUSE],
    reads: [PAUSED],
    resumed: { paused: true, runs: [], reads: [PAUSED] },
  },
  "a pause that becomes a deny": {
    answers: [PAUSE, DENY],
    reads: [PAUSED],
    resumed: { paused: false, runs: [], reads: [DENIED] },
  },
};

export function callsOf(calls: "one" | "three"): readonly ModelCall[] {
  const amounts = calls === "one" ? [10] : [10, 500, 20];
  return amounts.map((amount) => ({ id: `call_${String(amount)}`, tool: "pay", args: { amount, to: "a" } }));
}
