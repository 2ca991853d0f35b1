import { answerRequest } from "@svc/test-kit/answer-request";
import { KitRefusal } from "@svc/test-kit/kit-refusal";
import { TestGateway } from "@svc/test-kit/test-gateway";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import {
  type InProcessGateway,
  type InProcessRequest,
  putInProcessGateway,
  takeInProcessGateway,
} from "../in-process-gateway.ts";
import { jsonSnapshot } from "../json-snapshot.ts";
import { SvcApprovalRequired } from "../svc-approval-required.ts";
import type { Decision, ExpectedDecision } from "./decision.ts";
import { decisionOf, expectedOf } from "./decision-of.ts";
import { PolicyGatewayError } from "./policy-gateway-error.ts";
import { readPolicyFile } from "./read-policy-file.ts";
import { addressesOf, realGatewayOf, realGatewayOfProcess } from "./real-gateway.ts";
import { UnexpectedDecision } from "./unexpected-decision.ts";

/** Status of a request that is meant for another server. */
const MISDIRECTED = 421;

/** A policy file, or its text and what messages call it. */
export type PolicySource =
  | string
  | URL
  | {
      readonly file: string;
      readonly source: string;
      /** The text of a `guardrails.yaml` that it may name. */
      readonly guardrails?: string;
    };

export interface PolicyGatewayOptions {
  /** Where the clock stands. The current time without it. */
  readonly now?: Date | undefined;
  /** Approval workflows that exist. A rule that names another one denies, as in the service. */
  readonly workflows?: readonly string[] | undefined;
  /** The role of the key that asks; `agent` without it. */
  readonly role?: "agent" | "adapter" | "admin" | undefined;
  /**
   * Addresses that it answers for clients with an API key, such as `http://gateway.test`. Such a client of
   * another address is denied, because it may be meant for a real gateway.
   */
  readonly addresses?: readonly string[] | undefined;
}

/** What a kill switch stops: one of these. */
export type KillTarget =
  | { readonly agent: string }
  | { readonly session: string }
  | { readonly tool: string }
  | { readonly namespace: string }
  | { readonly everything: true };

export interface KillOptions {
  readonly reason?: string | undefined;
  /** Seconds after which the switch ends, by the clock of this gateway. */
  readonly ttlSeconds?: number | undefined;
}

/**
 * Judges calls by policy files in the process of a test, as the service would. Until it is closed, every
 * governed function, every client and every framework adapter of the process asks it, whatever address they
 * have, and no request leaves the process. A client with an API key is denied unless `addresses` has its
 * address. Ceilings count, approvals can be given, kill switches stop calls, and its clock stands still until
 * the test moves it.
 */
export class PolicyGateway {
  /** What the service would warn of in these policies; empty when there is nothing. */
  readonly warnings: string;
  readonly #gateway: TestGateway;
  readonly #answer: InProcessGateway;
  readonly #addresses: ReadonlySet<string>;
  readonly #inFlight = new Set<Promise<unknown>>();
  #refused: string | null = null;

  /**
   * A policy with `agent_id` governs that agent. One policy may have none: it governs every other agent.
   * @throws PolicyGatewayError for a policy that the service would refuse, with every fault of it; beside a
   * configured gateway; and while another test gateway is open
   */
  constructor(policies: PolicySource | readonly PolicySource[], options: PolicyGatewayOptions = {}) {
    const real = realGatewayOfProcess();
    if (real !== null) throw new PolicyGatewayError(real);
    const sources = (isList(policies) ? policies : [policies]).map(sourceOf);
    const { now = new Date(), workflows = [], role = "agent", addresses = [] } = options;
    this.#addresses = addressesOf(addresses);
    this.#gateway = orRefuse(
      () => new TestGateway({ policies: sources, nowMs: now.getTime(), workflows, role }),
    );
    this.warnings = this.#gateway.warnings;
    this.#answer = (request) => this.#noted(this.#answered(request));
    if (!putInProcessGateway(this.#answer))
      throw new PolicyGatewayError("another PolicyGateway is open in this process: close it first");
  }

  /** From here on clients ask the gateways of their addresses. */
  close(): void {
    takeInProcessGateway(this.#answer);
  }

  /** Every call that was decided, oldest first. */
  get decisions(): readonly Decision[] {
    return this.#gateway.decisions.map(decisionOf);
  }

  /**
   * The last decision that is as described.
   * @throws UnexpectedDecision when there is none
   */
  expectDecision(expected: ExpectedDecision): Decision {
    const found = orRefuse(() => this.#gateway.expectDecision(expectedOf(expected)));
    if (found.kind === "missed")
      throw new UnexpectedDecision(
        this.#refused === null ? found.message : `${found.message}\na client was refused: ${this.#refused}`,
      );
    return decisionOf(found.decision);
  }

  /** Resolves when every request that was sent is answered: outcomes are reported beside the call. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  /**
   * Approves a paused call: its repeat is allowed once. @param approval without one, the call that is paused.
   * @param args in place of those of the call @returns the id of the approval
   */
  approve(approval?: string | SvcApprovalRequired, args?: object): string {
    const edited = args === undefined ? null : plainArgs(args);
    return orRefuse(() => this.#gateway.approve(approvalIdOf(approval), edited));
  }

  /** Ends the approval of a paused call. Its repeat asks anew. */
  denyApproval(approval?: string | SvcApprovalRequired): string {
    return orRefuse(() => this.#gateway.denyApproval(approvalIdOf(approval)));
  }

  /** Activates a kill switch. @returns its id */
  kill(target: KillTarget, { reason = "stopped by a test", ttlSeconds }: KillOptions = {}): string {
    const named: readonly (readonly [string, unknown])[] = Object.entries(target);
    const [first] = named;
    if (first === undefined || named.length !== 1)
      throw new PolicyGatewayError(
        "kill: expected one of agent, session, tool, namespace or everything: true",
      );
    const [scope, name] = first;
    const order =
      scope === "everything" ? { scope: "global", target: null } : { scope, target: String(name) };
    return orRefuse(() => this.#gateway.kill({ ...order, reason, ttlSeconds: ttlSeconds ?? null }));
  }

  endKill(killSwitchId: string): void {
    orRefuse(() => this.#gateway.endKill(killSwitchId));
  }

  /** What the clock of this gateway shows. */
  get now(): Date {
    return this.#gateway.clock.now();
  }

  /** Moves the clock forward. Kill switches and approvals end by it. */
  advance(durationMs: number): void {
    orRefuse(() => this.#gateway.advance(durationMs));
  }

  /** Asks the process again each time: a file of variables may be read after the gateway was made. */
  async #answered(request: InProcessRequest): Promise<Response> {
    const real = realGatewayOfProcess() ?? realGatewayOf(request, this.#addresses);
    if (real === null) return responseOf(await answerRequest(this.#gateway, request));
    this.#refused = real;
    return responseOf({
      status: MISDIRECTED,
      contentType: "application/problem+json",
      body: JSON.stringify({ detail: real }),
    });
  }

  #noted(answer: Promise<Response>): Promise<Response> {
    this.#inFlight.add(answer);
    const forget = (): void => void this.#inFlight.delete(answer);
    answer.then(forget, forget);
    return answer;
  }
}

function sourceOf(policy: PolicySource): Exclude<PolicySource, string | URL> {
  if (typeof policy !== "string" && !(policy instanceof URL)) return policy;
  return { file: String(policy), source: readPolicyFile(policy) };
}

function isList(policies: PolicySource | readonly PolicySource[]): policies is readonly PolicySource[] {
  return Array.isArray(policies);
}

function responseOf({ status, contentType, body }: Awaited<ReturnType<typeof answerRequest>>): Response {
  return new Response(body, { status, headers: { "content-type": contentType } });
}

function approvalIdOf(approval: string | SvcApprovalRequired | undefined): string | null {
  if (approval === undefined) return null;
  const url = SvcApprovalRequired.isInstance(approval) ? approval.approval_url : String(approval);
  return url.slice(url.lastIndexOf("/") + 1);
}

function plainArgs(args: object): JsonObject {
  const plain = jsonSnapshot(args, "args");
  if (isJsonObject(plain)) return plain;
  throw new PolicyGatewayError("args: expected an object of names and values");
}

/** What the kit refuses is for the author of the test. */
function orRefuse<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof KitRefusal ? new PolicyGatewayError(error.message) : error;
  }
}
