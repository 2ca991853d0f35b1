import { holdsForText } from "@svc/contract/holds-for-text";
import type { ReasonCode } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import type { Evaluation, GovernedCall } from "../evaluation.ts";
import { GlobIndex } from "../globs/glob-index.ts";
import type { PolicyHead } from "../policy-document.ts";
import { ONE_CALL, termsOf } from "./approval-terms.ts";
import { type CompiledRule, compileWalk, type NearAllow, type RuleOutcome } from "./compile-rules.ts";
import { describeCause } from "./describe-doubt.ts";
import { listsText } from "./lists-text.ts";
import { compileToolPrices } from "./tool-prices.ts";
import { twoWorkflows } from "./two-workflows.ts";

/** A document whose rules are compiled. */
export interface EvaluatedParts {
  readonly head: PolicyHead;
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly rules: readonly CompiledRule[];
  /** Whether a condition reads what the session has used. */
  readonly readsUsage: boolean;
}

/** A policy must know a call's session when it has a ceiling or reads what the session has used. */
export function needsSession({ head, readsUsage }: Pick<EvaluatedParts, "head" | "readsUsage">): boolean {
  return head.maxSteps !== null || head.maxCostMicroUsd !== null || readsUsage;
}

/** A caller that is not trusted with its own costs may name a higher one than the price, but no lower. */
function costOf(
  { tool, costMicroUsd, costIsTrusted }: GovernedCall,
  priceOf: (tool: string) => number,
): number {
  if (costMicroUsd === null) return priceOf(tool);
  return costIsTrusted ? costMicroUsd : Math.max(costMicroUsd, priceOf(tool));
}

/**
 * Denied tools, then the session, then rules, then allowed tools, then what `fail_closed` says of the
 * rest. An approval or a rewrite does not allow: a tool that nothing allows stays denied where the
 * policy fails closed.
 */
export function compileEvaluate(parts: EvaluatedParts): (call: GovernedCall) => Evaluation {
  const { failClosed, toolPrices } = parts.head;
  const denied = new GlobIndex(parts.denied);
  const allowed = new GlobIndex(parts.allowed);
  const walk = compileWalk(parts.rules);
  const priceOf = compileToolPrices(toolPrices);
  const sessionNeeded = needsSession(parts);

  return (call) => {
    const costMicroUsd = costOf(call, priceOf);
    if (denied.hasMatch(call.tool))
      return refusal(costMicroUsd, "tool_denied", `the policy denies the tool ${call.tool}`);
    if (sessionNeeded && call.sessionId === null) {
      return refusal(costMicroUsd, "session_required", SESSION_REQUIRED);
    }
    const outcome = walk(call);
    const isAllowed = outcome.kind === "allow" || !failClosed || allowed.hasMatch(call.tool);
    return evaluationOf(outcome, { call, isAllowed, costMicroUsd });
  };
}

/** Names the member of a request to the gateway; adapters add what to send on their own wire. */
const SESSION_REQUIRED = "the policy limits sessions, and the call has no session ID: send session_id";

const HOW_TO_ALLOW = "to allow it, add it to tools.allowed or write a rule with action: allow";

interface Circumstances {
  readonly call: GovernedCall;
  /** Whether a list, a rule or `fail_closed: false` lets the tool be called at all. */
  readonly isAllowed: boolean;
  readonly costMicroUsd: number;
}

function evaluationOf(outcome: RuleOutcome, { call, isAllowed, costMicroUsd }: Circumstances): Evaluation {
  switch (outcome.kind) {
    case "deny":
      return refusal(costMicroUsd, "rule", reasonOf(outcome, "denies this call"), outcome.ruleId);
    case "impossible": {
      const { ruleId, because, message } = outcome;
      const reason = withMessage(`the rule ${ruleId} cannot be applied: ${because}`, message);
      return refusal(costMicroUsd, "constraint_unsatisfiable", reason, ruleId);
    }
    case "two_workflows": {
      const reason = twoWorkflows(outcome, outcome.other);
      return refusal(costMicroUsd, "approval_workflow_conflict", reason, outcome.ruleId);
    }
    case "require_approval":
      if (!isAllowed && !outcome.isAllowed) return notAllowed(call.tool, costMicroUsd);
      return pauseOf(outcome, call, costMicroUsd);
    case "allow":
      return permission(call, outcome.args, costMicroUsd);
    case "passed":
      if (isAllowed) return permission(call, outcome.args, costMicroUsd);
      return notAllowed(call.tool, costMicroUsd, outcome.nearly);
  }
}

function pauseOf(
  outcome: Extract<RuleOutcome, { kind: "require_approval" }>,
  call: GovernedCall,
  costMicroUsd: number,
): Evaluation {
  const { ruleId, workflow, reach, message } = outcome;
  const terms = reach === null ? ONE_CALL : termsOf(reach, call);
  const asks = reasonOf({ ...outcome, message: null }, "requires approval of this call");
  return {
    decision: "pause",
    reasonCode: "approval_required",
    reason: withMessage(`${asks}; the approval holds for ${holdsForText({ ...call, ...terms })}`, message),
    ruleId,
    shapedArgs: null,
    costMicroUsd,
    onApproval: { shapedArgs: changedArgs(call, outcome.args), workflow, terms },
  };
}

type Restriction = Extract<RuleOutcome, { kind: "deny" | "require_approval" }>;

function reasonOf({ ruleId, lists, kind, doubt, message }: Restriction, effect: string): string {
  const named = lists.length === 0 ? "" : `, which names ${listsText(lists)},`;
  const reason = `the rule ${ruleId}${named} ${effect}`;
  const why = doubt === null ? reason : `${reason}: ${doubt} counts as a match for a ${kind} rule`;
  return withMessage(why, message);
}

/** What the author wants told stands last, in words of its own. */
function withMessage(reason: string, message: string | null): string {
  return message === null ? reason : `${reason}. ${message}`;
}

function changedArgs(call: GovernedCall, args: JsonObject): JsonObject | null {
  return args === call.args ? null : args;
}

function permission(call: GovernedCall, args: JsonObject, costMicroUsd: number): Evaluation {
  const shapedArgs = changedArgs(call, args);
  return { decision: "allow", reasonCode: null, reason: null, ruleId: null, shapedArgs, costMicroUsd };
}

function notAllowed(tool: string, costMicroUsd: number, nearly: NearAllow | null = null): Evaluation {
  const why =
    nearly === null
      ? HOW_TO_ALLOW
      : `the rule ${nearly.ruleId} would allow it, but ${describeCause(nearly.doubt, nearly.call)}`;
  return refusal(costMicroUsd, "not_allowed", `the policy does not allow the tool ${tool}: ${why}`);
}

function refusal(
  costMicroUsd: number,
  reasonCode: ReasonCode,
  reason: string,
  ruleId: string | null = null,
): Evaluation {
  return { decision: "deny", reasonCode, reason, ruleId, shapedArgs: null, costMicroUsd };
}
