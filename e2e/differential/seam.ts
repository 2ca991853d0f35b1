import type { ExecuteRequest } from "@svc/contract/execute-request";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { shapedArgsOf, type Verdict } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import type { GeneratedCall } from "./calls.ts";

/** What can be seen of one decision at a seam. */
export interface Observed {
  readonly decision: string;
  readonly reasonCode: string | null;
  readonly ruleId: string | null;
  /** Decision, code and rule that a governance mode kept from taking effect. */
  readonly wouldBe: string | null;
  /** Canonical JSON of the arguments that the tool gets; null: it gets no call; or how the seam says it. */
  readonly args: string | null;
}

/** What this adapter cannot carry, and what it carries instead. */
export interface Lacks {
  /** The cost that the caller names: the prices of the policy count. */
  readonly cost?: true;
  /** Agent, session and namespace as the caller names them: the proxy's configuration fixes this agent. */
  readonly caller?: string;
  /** What would have been: the caller sees an allow. */
  readonly wouldBe?: true;
  /** Rewritten arguments: the allow says that it has some, or the call is denied. */
  readonly rewrite?: "announced" | "denied";
}

/** One way from a caller to the gateway. */
export interface Seam {
  readonly name: string;
  readonly lacks: Lacks;
  /** Most calls of a run that take this way, as count; without it, all of them. */
  readonly most?: number;
  /** Callers can name a call here, so that a repeat counts once. */
  readonly keyed?: true;
  /** @param env further settings of the adapter; ignored by a seam that has no adapter. */
  open(gatewayUrl: string, env?: Readonly<Record<string, string>>): Promise<OpenSeam>;
}

export interface OpenSeam {
  /** @param key names the call where the seam is `keyed`. */
  ask(call: SeamCall, key?: string): Promise<Observed>;
  close(): Promise<unknown>;
}

/** A call as it is given to one seam. */
export interface SeamCall extends GeneratedCall {
  /** Place in the run: names the call on wires that need a name. */
  readonly index: number;
}

/** Replaces rewritten arguments where they are only announced. */
export const ANNOUNCED = "X-Svc-Shaping-Required";

/** The calls as they are given to one seam: without what does not travel there. */
export function callsAt(
  { name, lacks, most }: Omit<Seam, "open">,
  calls: readonly GeneratedCall[],
): SeamCall[] {
  return calls.slice(0, most).map((call, index) => {
    const { agent, session, namespace, costUsd } = call;
    const caller =
      lacks.caller === undefined
        ? { agent, session: session === null ? null : sessionAt(session, name), namespace }
        : { agent: lacks.caller, session: null, namespace: null };
    return { ...call, ...caller, costUsd: lacks.cost ? null : costUsd, index };
  });
}

export function sessionAt(session: string, seam: string): string {
  return `at-${seam.replaceAll(/[^a-z0-9]+/gi, "-")}:${session}`;
}

/** The call as the body of an execute request. */
export function executeBody({ agent, session, namespace, tool, args, costUsd }: SeamCall): JsonObject {
  return {
    agent_id: agent,
    tool,
    args,
    ...(session === null ? {} : { session_id: session }),
    ...(namespace === null ? {} : { namespace }),
    ...(costUsd === null ? {} : { cost_usd: costUsd }),
  };
}

/** JSON with a number as short as its sender may write it: the canonical form has four times the length. */
export function wireText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\b1000000000000000\b/g, "1e15");
}

export function executeRequest(call: SeamCall): ExecuteRequest {
  const parsed = parseExecuteRequest(executeBody(call));
  if (!parsed.ok) throw new Error(`a generated call is not a call: ${JSON.stringify(parsed.errors)}`);
  return parsed.value;
}

/** What a seam has to show of a verdict that was given to this call in process. */
export function expectedAt({ lacks }: Pick<Seam, "lacks">, call: SeamCall, verdict: Verdict): Observed {
  if (verdict.decision !== "allow") return observedOf(verdict, call.args);
  const seen = observedOf(verdict, call.args);
  const wouldBe = lacks.wouldBe ? null : seen.wouldBe;
  if (!verdict.args_constrained || lacks.rewrite === undefined) return { ...seen, wouldBe };
  if (lacks.rewrite === "announced") return { ...seen, wouldBe, args: ANNOUNCED };
  return { decision: "deny", reasonCode: "shaping_unsupported", ruleId: null, wouldBe: null, args: null };
}

/** A verdict document as its reader sees it, who runs an allowed call with the arguments that count. */
export function observedOf(verdict: Verdict, args: JsonObject): Observed {
  if (verdict.decision !== "allow") {
    const { decision, reason_code: reasonCode, rule_id: ruleId = null } = verdict;
    return { decision, reasonCode, ruleId, wouldBe: null, args: null };
  }
  const { would_be: would } = verdict;
  return {
    decision: "allow",
    reasonCode: null,
    ruleId: null,
    wouldBe: would === undefined ? null : `${would.decision} ${would.reason_code} ${would.rule_id ?? "-"}`,
    args: canonicalJson(shapedArgsOf(verdict) ?? args),
  };
}

/** An allow of which nothing can be seen but what arrives behind the seam. */
export function passed(args: string | null): Observed {
  return { decision: "allow", reasonCode: null, ruleId: null, wouldBe: null, args };
}
