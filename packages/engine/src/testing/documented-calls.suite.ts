import type { JsonObject } from "@svc/text/json-value";
import { formatUsd, parseUsd } from "@svc/text/usd";
import type { CompiledPolicy } from "../compiled-policy.ts";
import type { Evaluation, GovernedCall } from "../evaluation.ts";
import { callOf } from "./compiled.suite.ts";

/** A call as the pages write it, with the verdict that they claim. */
export interface DocumentedCall {
  /** `tool {args}`, as it is written. */
  readonly text: string;
  readonly call: GovernedCall;
  /** Decision, reason code, rule, rewritten arguments and cost; arguments as compact JSON. */
  readonly expectation: string;
}

/** `tool {args} [without a session] [after N steps and N USD] [by agent] [in namespace] [at time] -> ...` */
const CALL = new RegExp(
  [
    /^(\S+) (\{.*\})/,
    /( without a session)?(?: after (\d+) steps and ([\d.]+) USD)?/,
    /(?: by (\S+))?(?: in (\S+))?(?: at (\S+Z))? +-> (.*)$/,
  ]
    .map(({ source }) => source)
    .join(""),
);

/** @throws when the line is not a call. */
export function parseDocumentedCall(line: string): DocumentedCall {
  const [
    whole,
    tool = "",
    args = "",
    sessionless,
    steps = "0",
    usd = "0",
    agentId,
    namespace,
    time,
    wanted = "",
  ] = CALL.exec(line) ?? [];
  if (whole === undefined) throw new Error(`not a call with a verdict: ${line}`);
  const call = callOf(tool, JSON.parse(args) as JsonObject, {
    agentId: agentId ?? "doc-agent",
    namespace: namespace ?? "default",
    sessionId: sessionless === undefined ? "doc-session" : null,
    usage: { steps: Number(steps), costMicroUsd: parseUsd(usd) ?? 0 },
    timeMs: Date.parse(time ?? "2026-06-01T12:00:00Z"),
  });
  return { text: line.replace(/ +-> .*$/, ""), call, expectation: normalised(wanted) };
}

/** What the policy answers to the call, in the words of the pages. */
export function answerTo(policy: CompiledPolicy, { call }: DocumentedCall): string {
  return describeAnswer(policy.evaluate(call));
}

export function describeAnswer({
  decision,
  reasonCode,
  ruleId,
  shapedArgs,
  costMicroUsd,
}: Evaluation): string {
  const shaped = shapedArgs === null ? null : JSON.stringify(shapedArgs);
  const words = [decision, reasonCode, ruleId, shaped].filter((word) => word !== null);
  return words.join(" ") + (costMicroUsd === 0 ? "" : `, costs ${formatUsd(costMicroUsd)} USD`);
}

/** Rewritten arguments are compared as JSON, however the page spaces them. */
function normalised(expectation: string): string {
  return expectation.replace(/\{.*\}/, (json) => JSON.stringify(JSON.parse(json)));
}
