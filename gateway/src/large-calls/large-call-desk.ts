import type { JsonObject } from "@svc/contract/json-value";
import { KeyedDigest } from "@svc/contract/keyed-digest";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { parseStrictJson } from "@svc/contract/strict-json";
import { decisionRow, type RowContext, type RowText } from "../append/decision-row.ts";
import { LocalArguments } from "../evaluate/call-content.ts";
import { evaluateOwn } from "../evaluate/policy-ruling.ts";
import { CompiledPolicies } from "./compiled-policies.ts";
import type { EvaluateReply, OpenReply, Order, ReplyTo, RowMasking } from "./protocol.ts";

/** One call that was opened and not yet released. */
interface OpenCall {
  readonly local: LocalArguments;
  /** What the last evaluation rewrote the arguments to. */
  shapedArgs: JsonObject | null;
}

/**
 * Carries out the orders of the large-call thread, with the functions that the serving thread runs
 * on small calls.
 */
export class LargeCallDesk {
  readonly #policies = new CompiledPolicies();
  readonly #open = new Map<number, OpenCall>();
  readonly #digest: KeyedDigest;

  constructor(digestKey: string) {
    this.#digest = new KeyedDigest(digestKey);
  }

  /**
   * Carries out one order. @returns null for an order without a reply. @throws on a fault, or for a call that
   * is not open.
   */
  async carryOut(order: Order): Promise<ReplyTo[keyof ReplyTo] | null> {
    switch (order.kind) {
      case "open":
        return this.#openCall(order);
      case "evaluate":
        return this.#evaluate(order);
      case "row":
        return this.#row(order);
      case "release":
        this.#open.delete(order.call);
        return null;
      default:
        throw new Error(`unknown order ${JSON.stringify(order satisfies never)}`);
    }
  }

  #openCall({ call, bytes }: Order & { kind: "open" }): OpenReply {
    const json = parseStrictJson(bytes);
    if (!json.ok) return { kind: "malformed", fault: json.fault };
    const parsed = parseExecuteRequest(json.value);
    if (!parsed.ok) return { kind: "refused", errors: parsed.errors };
    const { args, ...request } = parsed.value;
    const local = new LocalArguments(args);
    this.#open.set(call, { local, shapedArgs: null });
    return { kind: "request", request, canonicalBytes: Buffer.byteLength(local.canonicalArgs) };
  }

  #evaluate(order: Order & { kind: "evaluate" }): EvaluateReply {
    const open = this.#callOf(order);
    const { source, facts, usage, edit } = order;
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

  #row(order: Order & { kind: "row" }): RowText {
    const { local, shapedArgs } = this.#callOf(order);
    const { facts, masking, moment, wantsShaped } = order;
    const ruled = { ...order.ruled, wantedArgs: wantsShaped ? shapedArgs : null };
    const policy = this.#rowPolicy(masking);
    return decisionRow(facts, local, { ruled, moment, policy, digest: this.#digest });
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

  #callOf({ call }: Order): OpenCall {
    const open = this.#open.get(call);
    if (open === undefined) throw new Error("the call is not open on the thread of large calls");
    return open;
  }
}
