/** The agent, tool and namespace that every benchmark call names. */
export const BENCH_AGENT = "bench-agent";
export const BENCH_TOOL = "payments.refund";

export interface PolicyShape {
  readonly id?: string;
  readonly agentId?: string;
  /** Rules that look at the arguments of the benchmark's own tool. None of them fires, so all are walked. */
  readonly walkedRules: number;
  /** Rules for tools that the benchmark never calls. */
  readonly foreignRules?: number;
  /** Session ceilings that are never reached, but reserved with every call. */
  readonly ceilings?: boolean;
  /** Every rule that is walked searches a text by a regular expression instead. */
  readonly regex?: boolean;
}

/** A policy document as JSON that allows the benchmark's calls. Valid YAML as well. */
export function benchmarkPolicy(shape: PolicyShape): string {
  const { id = "bench", agentId = BENCH_AGENT, walkedRules, foreignRules = 0, ceilings, regex } = shape;
  const condition = regex === true ? regexConditionOf : conditionOf;
  const walked = Array.from({ length: walkedRules }, (_, at) => rule(at, BENCH_TOOL, condition(at)));
  const foreign = Array.from({ length: foreignRules }, (_, at) =>
    rule(walkedRules + at, `other${at}.refund`, conditionOf(at)),
  );
  return JSON.stringify({
    id,
    name: "Benchmark",
    agent_id: agentId,
    governance_mode: "enforcement",
    fail_closed: true,
    tools: { allowed: ["payments.*", "crm.*", "search.*"], denied: ["payments.delete*", "admin.*"] },
    ...(ceilings === true
      ? { session: { max_steps: 1_000_000_000 }, cost: { max_usd_per_session: 1_000_000 } }
      : {}),
    rules: [...walked, ...foreign],
  });
}

function rule(at: number, tool: string, condition: object): object {
  const action = at % 2 === 0 ? "deny" : "require_approval";
  return { id: `rule-${at}`, priority: at + 1, match: { tool, condition }, action };
}

/** Turn by turn the conditions that policies are made of; each differs from the others, none holds. */
function conditionOf(at: number): object {
  const conditions = [
    { field: "args.amount", operator: ">", value: 10_000 + at },
    { field: "args.currency", operator: "in", value: [`X${at}`, `Y${at}`, `Z${at}`] },
    { field: "args.customer.id", operator: "starts_with", value: `blocked-${at}-` },
    { field: "args.note", operator: "contains", value: `forbidden ${at}` },
    { field: "args.customer.country", operator: "==", value: `country-${at}` },
  ];
  return conditions[at % conditions.length] ?? {};
}

function regexConditionOf(at: number): object {
  return { field: "args.note", operator: "matches", value: `(?i)order\\s+no\\.?\\s*x${at}[0-9]+` };
}
