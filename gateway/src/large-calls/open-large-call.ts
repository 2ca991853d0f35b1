import type { Evaluation } from "@svc/engine/evaluation";
import type { JsonObject } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import type { RowText } from "../append/decision-row.ts";
import type { CallFacts } from "../call-facts.ts";
import type { ReadyPolicy } from "../check/governing-policy.ts";
import type { CallContent, EvaluationRest, RowPolicy, RowRest } from "../evaluate/call-content.ts";
import { withEvaluators } from "../evaluate/policy-ruling.ts";
import type { OpenedRequest } from "../pending-call.ts";
import type { OpenReply, RowMasking } from "./large-call-service.ts";
import type { LargeCallThread } from "./large-call-thread.ts";

/** A large call whose arguments another thread holds, or why its body was refused. */
export type LargeCall =
  | {
      readonly kind: "opened";
      readonly request: OpenedRequest;
      /** Length of the arguments' canonical JSON. */
      readonly canonicalBytes: number;
      release(): void;
    }
  | Exclude<OpenReply, { kind: "request" }>;

/**
 * Parses a large body on the thread of large calls and keeps its arguments there. The caller must release
 * what was opened. Rejects when the thread is lost.
 */
export async function openLargeCall(thread: LargeCallThread, body: Uint8Array): Promise<LargeCall> {
  const call = thread.nextCall();
  // A copy that can be handed over whole: the body may be a part of a larger buffer.
  const reply = await thread.calls.open(call, new Uint8Array(body));
  if (reply.kind !== "request") return reply;
  const request = { ...reply.request, content: new RemoteArguments(thread, call) };
  const { canonicalBytes } = reply;
  return { kind: "opened", request, canonicalBytes, release: () => thread.tell("release", call) };
}

/** Arguments that are on the thread of large calls. */
class RemoteArguments implements CallContent {
  readonly local = null;
  readonly #thread: LargeCallThread;
  readonly #call: number;

  constructor(thread: LargeCallThread, call: number) {
    this.#thread = thread;
    this.#call = call;
  }

  async evaluate(governing: ReadyPolicy, call: CallFacts, rest: EvaluationRest): Promise<Evaluation> {
    const { policy, source } = governing;
    const { evaluation, shapedText, input } = await this.#thread.calls.evaluate(this.#call, {
      source,
      facts: factsOf(call),
      ...rest,
    });
    return withEvaluators(policy, { evaluation: withShapedArgs(evaluation, shapedText), input });
  }

  rowText(call: CallFacts, policy: RowPolicy, { ruled, moment }: RowRest): Promise<RowText> {
    return this.#thread.calls.row(this.#call, {
      facts: factsOf(call),
      masking: maskingOf(policy),
      ruled: { ...ruled, shapedArgs: null, wantedArgs: null, approval: null },
      wantsShaped: ruled.wantedArgs !== null,
      moment,
    });
  }
}

function withShapedArgs(evaluation: Evaluation, text: string | null): Evaluation {
  if (text === null) return evaluation;
  const shapedArgs = parseJson(text) as JsonObject;
  const { onApproval } = evaluation;
  if (onApproval !== undefined) return { ...evaluation, onApproval: { ...onApproval, shapedArgs } };
  return { ...evaluation, shapedArgs };
}

function maskingOf(policy: RowPolicy): RowMasking {
  if (policy === "unknown") return { kind: "unknown" };
  if (policy === null || policy.policy.maskRow === null) return { kind: "none" };
  return { kind: "policy", source: policy.source };
}

/** The facts alone: the other members of a pending call cannot be sent to another thread. */
function factsOf({
  org,
  principal,
  namespace,
  namesNamespace,
  namesArePlain,
  agentId,
  sessionId,
  tool,
  timeMs,
  costMicroUsd,
  costIsTrusted,
  traceId,
}: CallFacts): CallFacts {
  return {
    org,
    principal,
    namespace,
    namesNamespace,
    namesArePlain,
    agentId,
    sessionId,
    tool,
    timeMs,
    costMicroUsd,
    costIsTrusted,
    traceId,
  };
}
