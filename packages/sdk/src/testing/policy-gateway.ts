import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { answerRequest } from "@svc/test-kit/answer-request";
import { KitRefusal } from "@svc/test-kit/kit-refusal";
import { TestGateway } from "@svc/test-kit/test-gateway";
import { type InProcessGateway, putInProcessGateway, takeInProcessGateway } from "../in-process-gateway.ts";
import { jsonSnapshot } from "../json-snapshot.ts";
import { SvcApprovalRequired } from "../svc-approval-required.ts";
import type { Decision, ExpectedDecision } from "./decision.ts";
import { decisionOf, expectedOf } from "./decision-of.ts";
import { PolicyGatewayError } from "./policy-gateway-error.ts";
import { readPolicyFile } from "./read-policy-file.ts";
import { UnexpectedDecision } from "./unexpected-decision.ts";

/** A policy file, or its text and what messages call it. */
export type PolicySource = string | URL | { readonly file: string; readonly source: string };

export interface PolicyGatewayOptions {
  /** Where the clock stands. The current time without it. */
  readonly now?: Date | undefined;
  /** Approval workflows that exist. A rule that names another one denies, as in the service. */
  readonly workflows?: readonly string[] | undefined;
  /** The role of the key that asks; `agent` without it. */
  readonly role?: "agent" | "adapter" | "admin" | undefined;
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
 * have, and no request leaves the process. Ceilings count, approvals can be given, kill switches stop calls,
 * and its clock stands still until the test moves it.
 */
export class PolicyGateway {
  /** What the service would warn of in these policies; empty when there is nothing. */
  readonly warnings: string;
  readonly #gateway: TestGateway;
  readonly #answer: InProcessGateway;
  readonly #inFlight = new Set<Promise<unknown>>();

  /**
   * A policy with `agent_id` governs that agent. One policy may have none: it governs every other agent.
   * @throws PolicyGatewayError for a policy that the service would refuse, with every fault of it; beside a
   * configured gateway; and while another test gateway is open
   */
  constructor(policies: PolicySource | readonly PolicySource[], options: PolicyGatewayOptions = {}) {
    refuseBesideRealGateway();
    const sources = (isList(policies) ? policies : [policies]).map(sourceOf);
    const { now = new Date(), workflows = [], role = "agent" } = options;
    this.#gateway = orRefuse(
      () => new TestGateway({ policies: sources, nowMs: now.getTime(), workflows, role }),
    );
    this.warnings = this.#gateway.warnings;
    this.#answer = (request) => this.#noted(answerRequest(this.#gateway, request).then(responseOf));
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
    if (found.kind === "missed") throw new UnexpectedDecision(found.message);
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

  #noted(answer: Promise<Response>): Promise<Response> {
    this.#inFlight.add(answer);
    const forget = (): void => void this.#inFlight.delete(answer);
    answer.then(forget, forget);
    return answer;
  }
}

/** A process that asks a real gateway must never be answered by another one. */
function refuseBesideRealGateway(): void {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const env = process?.env ?? {};
  if (env["SVC_URL"])
    throw new PolicyGatewayError(
      "SVC_URL is set, so this process asks a real gateway, and a test gateway would answer in its place. " +
        "Unset SVC_URL in tests: delete process.env.SVC_URL",
    );
  if (env["NODE_ENV"] === "production")
    throw new PolicyGatewayError("NODE_ENV is production: a test gateway judges calls of tests alone");
}

function sourceOf(policy: PolicySource): { readonly file: string; readonly source: string } {
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
