import { decisionRowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type DecisionRow } from "@svc/contract/audit-row";
import { MAX_ROW_ARGS_BYTES } from "@svc/contract/limits";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import {
  maskSecrets,
  maskSecretsInIdentifier,
  maskSecretsInText,
  mayHoldSecret,
} from "@svc/engine/mask-secrets";
import { moduleRecord } from "@svc/engine/module-record";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import type { KeyedDigest } from "@svc/text/keyed-digest";
import { formatUsd } from "@svc/text/usd";
import { utf8Length } from "@svc/text/utf8";
import type { CallFacts } from "../call-facts.ts";
import { governedCall } from "../evaluate/governed-call.ts";
import type { Ruling } from "../evaluate/ruling.ts";
import { isKnownPlain } from "./known-plain-names.ts";
import { rowTime } from "./row-time.ts";

/** When the row is written: wall-clock for people, elapsed microseconds from the monotonic clock. */
export interface RowMoment {
  readonly time: Date;
  readonly latencyUs: number;
}

/** Arguments as they came, and their canonical text, which is computed once. */
export interface KnownArguments {
  readonly args: JsonObject;
  /** RFC 8785 text of `args`. */
  readonly canonicalArgs: string;
}

/** What the row of a call records besides the call itself. */
export interface RowContext {
  readonly ruled: Ruling;
  readonly moment: RowMoment;
  /** The policy whose redactions the row masks; null when no policy governs the call. */
  readonly policy: CompiledPolicy | null | Unknown;
  readonly digest: KeyedDigest;
}

/**
 * A policy governs the call, or may govern it, but what it redacts is unknown: the policy cannot be loaded,
 * or its evaluation failed. The row then keeps no argument.
 */
export type Unknown = "unknown";

/** An audit row, and what it says of its call. */
export interface RowText {
  /** As it is stored and hashed. */
  readonly text: string;
  readonly callDigest: string;
  readonly argsDigest: string;
  readonly shapedArgsDigest: string | null;
  /** As the row has them: secrets are masked. */
  readonly names: RowNames;
}

/** A call, and its row. */
export interface RecordedCall {
  /** As it came: in a row, secrets in names are masked, and two names could be masked alike. */
  readonly facts: CallFacts;
  readonly row: RowText;
}

/** Writes a ruling's audit row. */
export function decisionRow(
  call: CallFacts,
  known: KnownArguments,
  { ruled, moment, policy, digest }: RowContext,
): RowText {
  const { args, canonicalArgs } = maskedArguments(call, known, policy);
  const names = maskedNames(call);
  const argsDigest = digest.of(known.canonicalArgs);
  const callDigest = digest.of(callText(call, known.canonicalArgs));
  const shapedArgsDigest = ruled.wantedArgs === null ? null : digest.of(canonicalJson(ruled.wantedArgs));
  const row: DecisionRow = {
    v: AUDIT_ROW_VERSION,
    kind: "decision",
    time: rowTime(moment.time),
    org: call.org,
    principal: call.principal,
    namespace: names.namespace,
    agent_id: names.agentId,
    session_id: names.sessionId,
    tool: names.tool,
    trace_id: call.traceId ?? undefined,
    args,
    args_digest: argsDigest,
    call_digest: callDigest,
    shaped_args_digest: shapedArgsDigest,
    decision: ruled.decision,
    would_be:
      ruled.wouldBe === null ? null : { ...ruled.wouldBe, reason: maskSecretsInText(ruled.wouldBe.reason) },
    mode: ruled.policy?.mode ?? null,
    reason: ruled.reason === null ? null : maskSecretsInText(ruled.reason),
    reason_code: ruled.reasonCode,
    rego: ruled.rego === null ? undefined : moduleRecord(ruled.rego),
    evaluated_at: ruled.evaluatedAtMs === null ? undefined : new Date(ruled.evaluatedAtMs).toISOString(),
    requested_cost: requestedCost(call),
    session_usage: ruled.observed === null ? undefined : usageOf(ruled.observed),
    rule_id: ruled.ruleId,
    policy_id: ruled.policy?.id ?? null,
    policy_version: ruled.policy?.version ?? null,
    guardrails: guardrailsOf(policy),
    approval_id: ruled.pauseId,
    kill_switch_id: ruled.killSwitch?.id ?? null,
    trigger_source: ruled.killSwitch?.triggerSource ?? null,
    cost_usd: formatUsd(ruled.costMicroUsd),
    steps: ruled.counters[0]?.steps ?? 0,
    fail_closed: ruled.failClosed,
    latency_us: moment.latencyUs,
  };
  return { text: decisionRowText(row, canonicalArgs), callDigest, argsDigest, shapedArgsDigest, names };
}

function guardrailsOf(policy: RowContext["policy"]): DecisionRow["guardrails"] {
  if (policy === null || policy === "unknown" || policy.guardrails.length === 0) return undefined;
  return policy.guardrails;
}

/** The cost that the request named. */
function requestedCost({ costMicroUsd, costIsTrusted }: CallFacts): DecisionRow["requested_cost"] {
  return costMicroUsd === null ? undefined : { trusted: costIsTrusted, usd: formatUsd(costMicroUsd) };
}

function usageOf({ costMicroUsd, steps }: SessionUsage): DecisionRow["session_usage"] {
  return { cost_usd: formatUsd(costMicroUsd), steps };
}

/** Canonical JSON of the members that two calls must share to be the same call. */
function callText({ org, agentId, sessionId, tool }: CallFacts, canonicalArgs: string): string {
  const [agent, session] = [canonicalJson(agentId), canonicalJson(sessionId)];
  const rest = `"org":${canonicalJson(org)},"session":${session},"tool":${canonicalJson(tool)}`;
  return `{"agent":${agent},"args":${canonicalArgs},${rest}}`;
}

export type RowNames = Pick<CallFacts, "namespace" | "agentId" | "sessionId" | "tool">;

/** The names of a call with secrets masked: some clients put a token where a name belongs. */
function maskedNames(call: CallFacts): RowNames {
  const { namespace, agentId, sessionId, tool } = call;
  // Calls name many sessions, but few agents, namespaces and tools: these are remembered.
  const isPlain = isKnownPlain(namespace) && isKnownPlain(agentId) && isKnownPlain(tool);
  if (isPlain && (sessionId === null || !mayHoldSecret(sessionId)))
    return { namespace, agentId, sessionId, tool };
  return {
    namespace: maskSecretsInIdentifier(namespace),
    agentId: maskSecretsInIdentifier(agentId),
    sessionId: sessionId === null ? null : maskSecretsInIdentifier(sessionId),
    tool: maskSecretsInIdentifier(tool),
  };
}

/** Replaces arguments whose masked form is longer than a row may hold: masks can be longer than values. */
const TOO_LONG: JsonObject = { "[masked]": "the masked arguments are longer than an audit row may hold" };

const UNKNOWN: JsonObject = { "[masked]": "what the policy of this call redacts is not known" };

/** Masks what the policy redacts, then what the secret detectors find. */
function maskedArguments(
  call: CallFacts,
  known: KnownArguments,
  policy: CompiledPolicy | null | Unknown,
): { readonly args: JsonObject; readonly canonicalArgs: string } {
  if (policy === "unknown") return { args: UNKNOWN, canonicalArgs: canonicalJson(UNKNOWN) };
  const redacted = policy?.maskRow?.(governedCall(call, { args: known.args, usage: null })) ?? known.args;
  const canonicalRedacted = redacted === known.args ? known.canonicalArgs : canonicalJson(redacted);
  const args = maskSecrets(redacted, canonicalRedacted);
  if (args === known.args) return known;
  const canonicalArgs = args === redacted ? canonicalRedacted : canonicalJson(args);
  if (utf8Length(canonicalArgs) <= MAX_ROW_ARGS_BYTES) return { args, canonicalArgs };
  return { args: TOO_LONG, canonicalArgs: canonicalJson(TOO_LONG) };
}
