import { invalidProblem, malformedProblem } from "@svc/contract/body-problem";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { MAX_EXPLAINED_STEPS, MAX_SIMULATION_BYTES, SIMULATION_BUDGET_MS } from "@svc/contract/limits";
import { MAX_TRACED_CALLS } from "@svc/contract/policy-explanation";
import {
  type CallToSimulate,
  parseSimulation,
  type SimulationRequest,
} from "@svc/contract/policy-simulation";
import { type Problem, problem } from "@svc/contract/problem";
import type { EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { mayNameGuardrail } from "@svc/engine/guardrail";
import { askModules, traceModules } from "@svc/policy-analysis/ask-modules";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import { diffPolicies } from "@svc/policy-analysis/policy-diff";
import { renderChanges } from "@svc/policy-analysis/render-diff";
import { type SimulatedCall, simulateCall } from "@svc/policy-analysis/simulate-call";
import type {
  DiffReply,
  ExplanationOrder,
  ExplanationReply,
  SimulationNeeds,
  SimulationOrder,
  SimulationReply,
} from "@svc/policy-analysis/simulation-exchange";
import type { JsonObject } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { parseStrictJson } from "@svc/text/strict-json";
import { compileText } from "./compile-text.ts";
import { explain } from "./explain.ts";
import { SwitchSnapshot, targetsOf } from "./switch-snapshot.ts";

/** Tries calls and compares versions. It keeps nothing between two calls. */
export class Simulator {
  readonly #nowMs: () => number;
  readonly #evaluators: EvaluatorFactory | null;

  /** @param evaluators as `compileText` takes them */
  constructor(nowMs: () => number, evaluators: EvaluatorFactory | null) {
    this.#nowMs = nowMs;
    this.#evaluators = evaluators;
  }

  /** Reads the body of a request, and says what it needs from the store. */
  read(body: Uint8Array): SimulationNeeds | SimulationReply {
    const read = readBody(body);
    if (!read.ok) return { kind: "problem", problem: read.problem };
    const { policy, calls } = read.request;
    const named = policy.kind === "stored" ? { id: policy.id, version: policy.version } : null;
    const guardrails = policy.kind === "document" && mayNameGuardrail(policy.source);
    return { kind: "needs", policy: named, guardrails, targets: targetsOf(calls) };
  }

  async simulate({ body, stored, guardrails, timeMs, switches }: SimulationOrder): Promise<SimulationReply> {
    const read = readBody(body);
    if (!read.ok) return { kind: "problem", problem: read.problem };
    const document = stored ?? documentOf(read.request, guardrails);
    if (document === null) throw new Error("the stored version of a simulation is missing");
    const compiled = await compileText(document, this.#evaluators);
    if (compiled.kind === "document_refused") return compiled;
    if (compiled.kind === "module_refused")
      return { kind: "problem", problem: problem("invalid_policy", compiled.reason) };
    const { explaining, steps } = compiled;
    const { calls } = read.request;
    if (calls.length * steps > MAX_EXPLAINED_STEPS) return refuse(tooManySteps(calls.length, steps));
    const snapshot = new SwitchSnapshot(switches);
    const endsAtMs = this.#nowMs() + SIMULATION_BUDGET_MS;
    const results: string[] = [];
    for (const call of calls) {
      const leftMs = endsAtMs - this.#nowMs();
      if (leftMs < 0) return refuse(tooSlow(results.length, calls.length));
      const simulated = simulatedCall(call, { snapshot, timeMs });
      const said = await askModules(explaining.policy, simulated.call);
      const isTraced = results.length < MAX_TRACED_CALLS && leftMs > SIMULATION_BUDGET_MS / 2;
      const trace = isTraced ? await traceModules(explaining.policy, simulated.call, said) : null;
      const { verdict, explanation } = simulateCall(explaining, { ...simulated, said, trace });
      results.push(JSON.stringify({ verdict, explanation }));
    }
    const head = { policy_id: explaining.policy.id, policy_version: stored?.version ?? null };
    return {
      kind: "simulated",
      text: `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(",")}]}`,
    };
  }

  /** Makes a recorded decision again. */
  explain(decision: ExplanationOrder): Promise<ExplanationReply> {
    return explain(decision, this.#evaluators);
  }

  /** Compares two documents, which are JSON. */
  diff(before: string, after: string): DiffReply {
    const changes = diffPolicies(parsedDocument(before), parsedDocument(after));
    return {
      kind: "compared",
      changes: JSON.stringify(changes),
      count: changes.length,
      lines: renderChanges(changes),
    };
  }
}

type Body =
  | { readonly ok: true; readonly request: SimulationRequest }
  | { readonly ok: false; readonly problem: Problem };

function readBody(body: Uint8Array): Body {
  const json = parseStrictJson(body, MAX_SIMULATION_BYTES);
  if (!json.ok) return { ok: false, problem: malformedProblem(json.fault) };
  const parsed = parseSimulation(json.value);
  if (!parsed.ok) return { ok: false, problem: invalidProblem(parsed.errors) };
  return { ok: true, request: parsed.value };
}

function documentOf(
  { policy }: SimulationRequest,
  guardrails: SimulationOrder["guardrails"],
): DocumentText | null {
  if (policy.kind === "stored") return null;
  const mediaType = policy.isJson ? "application/json" : "application/yaml";
  return { source: policy.source, mediaType, guardrails };
}

function simulatedCall(
  { request, usage, timeMs }: CallToSimulate,
  order: { readonly snapshot: SwitchSnapshot; readonly timeMs: number },
): SimulatedCall {
  const { agent_id, session_id, tool, args, namespace, cost_micro_usd } = request;
  const call = {
    agentId: agent_id,
    sessionId: session_id,
    namespace: namespace ?? DEFAULT_NAMESPACE,
    tool,
    args,
    timeMs: timeMs ?? order.timeMs,
    costMicroUsd: cost_micro_usd,
    // As for the key of an agent, whose costs are never below the prices of the policy.
    costIsTrusted: false,
    context: { usage },
  };
  return { call, killSwitches: order.snapshot.check(call) };
}

function parsedDocument(text: string): JsonObject {
  return parseJson(text) as JsonObject;
}

function refuse(detail: string): SimulationReply {
  return { kind: "problem", problem: problem("too_much_work", detail) };
}

function tooManySteps(calls: number, steps: number): string {
  const most = Math.floor(MAX_EXPLAINED_STEPS / steps);
  return (
    `${String(calls)} calls under a policy of ${String(steps)} rules and conditions: a simulation explains ` +
    `at most ${MAX_EXPLAINED_STEPS.toLocaleString("en-US")} of them. ` +
    `Send at most ${String(most)} calls at a time.`
  );
}

function tooSlow(done: number, calls: number): string {
  return (
    `The simulation took more than ${SIMULATION_BUDGET_MS.toLocaleString("en-US")} ms after ` +
    `${String(done)} of ${String(calls)} calls. Send fewer calls, or smaller arguments.`
  );
}
