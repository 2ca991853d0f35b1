import type { ExecuteRequest } from "@svc/contract/execute-request";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import type { ProblemEntry } from "@svc/contract/problem";
import type { Evaluation } from "@svc/engine/evaluation";
import type { JsonObject } from "@svc/text/json-value";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { type JsonFault, parseStrictJson } from "@svc/text/strict-json";
import { decisionRow, type RowContext, type RowText } from "../append/decision-row.ts";
import type { CallFacts } from "../call-facts.ts";
import { type EvaluationRest, LocalArguments, type RowRest } from "../evaluate/call-content.ts";
import { evaluateOwn } from "../evaluate/policy-ruling.ts";
import { CompiledPolicies } from "./compiled-policies.ts";

/** What a row masks besides secrets: what a `policy` redacts, nothing (`none`) or everything (`unknown`). */
export type RowMasking =
  | { readonly kind: "policy"; readonly source: string }
  | { readonly kind: "none" | "unknown" };

/** The parsed request without its arguments, or why the body was refused. */
export type OpenReply =
  | {
      readonly kind: "request";
      readonly request: Omit<ExecuteRequest, "args">;
      /** Length of the arguments' canonical JSON. */
      readonly canonicalBytes: number;
    }
  | { readonly kind: "malformed"; readonly fault: JsonFault }
  | { readonly kind: "refused"; readonly errors: readonly ProblemEntry[] };

interface CallToEvaluate extends EvaluationRest {
  readonly source: string;
  readonly facts: CallFacts;
}

interface RowToWrite extends Omit<RowRest, "digest"> {
  readonly facts: CallFacts;
  readonly masking: RowMasking;
  /** Whether the policy wanted the arguments that the last evaluation rewrote, which stay on the thread. */
  readonly wantsShaped: boolean;
}

/**
 * An evaluation with its rewritten arguments, or those after an approval, as JSON text, because text
 * crosses threads faster than an object.
 */
interface EvaluateReply {
  readonly evaluation: Evaluation;
  readonly shapedText: string | null;
  /** As in `OwnEvaluation`: the serving thread asks the further evaluators of the policy. */
  readonly input: string | null;
}

/** One call that was opened and not yet released. */
interface OpenCall {
  readonly local: LocalArguments;
  /** What the last evaluation rewrote the arguments to. */
  shapedArgs: JsonObject | null;
}

/**
 * What the thread of large calls does, with the functions that the serving thread runs on small calls. A call
 * is opened first and released last. The methods between throw for a call that is not open.
 */
export class LargeCallService {
  readonly #policies = new CompiledPolicies();
  readonly #open = new Map<number, OpenCall>();
  readonly #digest: KeyedDigest;

  constructor(digestKey: string) {
    this.#digest = new KeyedDigest(digestKey);
  }

  open(call: number, bytes: Uint8Array): OpenReply {
    const json = parseStrictJson(bytes);
    if (!json.ok) return { kind: "malformed", fault: json.fault };
    const parsed = parseExecuteRequest(json.value);
    if (!parsed.ok) return { kind: "refused", errors: parsed.errors };
    const { args, ...request } = parsed.value;
    const local = new LocalArguments(args);
    this.#open.set(call, { local, shapedArgs: null });
    return { kind: "request", request, canonicalBytes: Buffer.byteLength(local.canonicalArgs) };
  }

  evaluate(call: number, { source, facts, usage, edit }: CallToEvaluate): EvaluateReply {
    const open = this.#callOf(call);
    const { args } = open.local;
    const own = evaluateOwn(this.#policies.policyOf(source), facts, { args, usage, edit });
    const { evaluation, input } = own;
    const { onApproval, ...rest } = evaluation;
    const shaped = evaluation.shapedArgs ?? onApproval?.shapedArgs ?? null;
    open.shapedArgs = shaped;
    const shapedText = shaped === null ? null : JSON.stringify(shaped);
    const approval = onApproval === undefined ? {} : { onApproval: { ...onApproval, shapedArgs: null } };
    return { evaluation: { ...rest, ...approval, shapedArgs: null }, shapedText, input };
  }

  row(call: number, { facts, masking, ruled, moment, wantsShaped }: RowToWrite): RowText {
    const { local, shapedArgs } = this.#callOf(call);
    const wanted = { ...ruled, wantedArgs: wantsShaped ? shapedArgs : null };
    const policy = this.#rowPolicy(masking);
    return decisionRow(facts, local, { ruled: wanted, moment, policy, digest: this.#digest });
  }

  /** Forgets a call. One that is not open is ignored. */
  release(call: number): void {
    this.#open.delete(call);
  }

  #rowPolicy(masking: RowMasking): RowContext["policy"] {
    switch (masking.kind) {
      case "policy":
        return this.#policies.policyOf(masking.source);
      case "none":
        return null;
      case "unknown":
        return "unknown";
    }
  }

  #callOf(call: number): OpenCall {
    const open = this.#open.get(call);
    if (open === undefined) throw new Error("the call is not open on the thread of large calls");
    return open;
  }
}
