import { canonicalJson } from "@svc/contract/canonical-json";
import { formatUsd } from "@svc/contract/usd";
import type { CallFacts } from "../call-facts.ts";
import type { ReadyPolicy } from "../check/governing-policy.ts";
import type { Ruling } from "../evaluate/ruling.ts";
import {
  callText,
  type KnownArguments,
  maskedArguments,
  maskedNames,
  type RowContext,
  type RowText,
  requestedCost,
} from "./decision-row.ts";
import { rowTime } from "./row-time.ts";

/** An allow of the arguments as they came, with nothing beside it that its row or its answer must tell. */
export interface PlainAllow extends Ruling {
  readonly decision: "allow";
  readonly policy: NonNullable<Ruling["policy"]>;
  readonly reason: null;
  readonly reasonCode: null;
  readonly failClosed: false;
  readonly killSwitch: null;
  readonly wouldBe: null;
  readonly shapedArgs: null;
  readonly wantedArgs: null;
  readonly approvalId: null;
  readonly approval: null;
  readonly observed: null;
}

export function isPlainAllow(ruled: Ruling): ruled is PlainAllow {
  return (
    ruled.decision === "allow" &&
    ruled.policy !== null &&
    ruled.reason === null &&
    ruled.reasonCode === null &&
    !ruled.failClosed &&
    ruled.killSwitch === null &&
    ruled.wouldBe === null &&
    ruled.shapedArgs === null &&
    ruled.wantedArgs === null &&
    ruled.approvalId === null &&
    ruled.approval === null &&
    ruled.observed === null
  );
}

export interface PlainAllowContext extends Pick<RowContext, "moment" | "digest"> {
  readonly ruled: PlainAllow;
  readonly governing: ReadyPolicy;
}

/**
 * The text of the row of such an allow: byte for byte that of `decisionRow`, made faster. The members stand
 * in the order of RFC 8785.
 */
export function plainAllowRow(
  call: CallFacts,
  known: KnownArguments,
  { ruled, governing, moment, digest }: PlainAllowContext,
): RowText {
  const { canonicalArgs } = maskedArguments(call, known, governing.policy);
  const names = maskedNames(call);
  const argsDigest = digest.of(known.canonicalArgs);
  const callDigest = digest.of(callText(call, known.canonicalArgs));
  const { agentId, namespace, sessionId, tool } = names;
  const { mode, policy } = policyText(governing);
  const cost = requestedCost(call);
  const evaluated = ruled.evaluatedAtMs === null ? "" : `"evaluated_at":${isoText(ruled.evaluatedAtMs)},`;
  const text =
    `{"agent_id":${canonicalJson(agentId)},"approval_id":null,"args":${canonicalArgs}` +
    `,"args_digest":"${argsDigest}"` +
    `,"call_digest":"${callDigest}"` +
    `,"cost_usd":"${formatUsd(ruled.costMicroUsd)}","decision":"allow",${evaluated}"fail_closed":false` +
    `,"kill_switch_id":null,"kind":"decision","latency_us":${String(moment.latencyUs)}${mode}` +
    `,"namespace":${canonicalJson(namespace)},"org":${canonicalJson(call.org)}${policy}` +
    `,"principal":${canonicalJson(call.principal)},"reason":null,"reason_code":null` +
    `${cost === undefined ? "" : `,"requested_cost":${canonicalJson({ ...cost })}`}` +
    `,"rule_id":${canonicalJson(ruled.ruleId)},"session_id":${canonicalJson(sessionId)}` +
    `,"shaped_args_digest":null,"steps":${String(ruled.reservation?.steps ?? 0)}` +
    `,"time":"${rowTime(moment.time)}","tool":${canonicalJson(tool)}` +
    `,"trigger_source":null,"v":1,"would_be":null}`;
  return { text, callDigest, argsDigest, shapedArgsDigest: null, names };
}

/** The members of a row that name a version of a policy. */
interface PolicyText {
  readonly mode: string;
  readonly policy: string;
}

const texts = new WeakMap<ReadyPolicy, PolicyText>();

/** Made once for each loaded version. */
function policyText(governing: ReadyPolicy): PolicyText {
  let text = texts.get(governing);
  if (text === undefined) {
    const { policy, version } = governing;
    const name = `,"policy_id":${canonicalJson(policy.id)},"policy_version":${String(version)}`;
    text = { mode: `,"mode":${canonicalJson(policy.mode)}`, policy: name };
    texts.set(governing, text);
  }
  return text;
}

function isoText(ms: number): string {
  return `"${new Date(ms).toISOString()}"`;
}
