import { isRetryable } from "@svc/contract/retryable";
import { type AllowVerdict, failClosedDeny, shapedArgsOf } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { askGateway, type Monotonic } from "./ask-gateway.ts";
import { CALL_OPTIONS, type Call, type CallOptions, makeCall } from "./call.ts";
import type { ClientDeny, ClientVerdict } from "./client-deny.ts";
import { type ClientOptions, type ClientSettings, clientSettings } from "./client-settings.ts";
import { type HeartbeatOf, Heartbeats } from "./heartbeats.ts";
import { HintLog } from "./hint-log.ts";
import { MalformedCall } from "./malformed-call.ts";
import { type Outcome, OutcomeReports, requireOutcome } from "./outcome-reports.ts";
import { hintOfProxy, type Runtime, refuseDecidingProxy } from "./refuse-deciding-proxy.ts";
import { requireName, requireOptionalName } from "./require-name.ts";
import { type OptionNames, requireFunction, requireOptions } from "./require-options.ts";
import { SvcApprovalRequired } from "./svc-approval-required.ts";
import { SvcDenied } from "./svc-denied.ts";

export interface SvcClientOptions extends ClientOptions {
  /**
   * Called with every deny that a fault caused, for logs and metrics. If it throws, the deny stays.
   * Without it, their hints go to `console.warn`.
   */
  readonly onFault?: ((deny: ClientDeny) => void) | undefined;
  /** Called with an outcome that could not be reported. */
  readonly onLostReport?: ((outcome: Outcome, error: unknown) => void) | undefined;
  /** Milliseconds that only move forward, for tests; performance.now without it. */
  readonly monotonicMs?: Monotonic | undefined;
}

const OPTIONS: OptionNames<SvcClientOptions> = {
  baseUrl: true,
  apiKey: true,
  orgId: true,
  timeoutMs: true,
  onFault: true,
  onLostReport: true,
  monotonicMs: true,
};

type HeartbeatsOptions = Pick<HeartbeatOf, "parentSessionId">;

const HEARTBEATS_OPTIONS: OptionNames<HeartbeatsOptions> = { parentSessionId: true };

/** A call that may run now, with exactly these arguments. */
export interface AllowedCall {
  readonly tool: string;
  /** The arguments as they were judged, or those that the policy put in their place. */
  readonly args: JsonObject;
  readonly decision_id: string;
  /** True: the policy replaced the arguments. */
  readonly args_constrained: boolean;
  readonly verdict: AllowVerdict;
}

const SESSION_HINT =
  "Pass sessionId, or call the tool with ctx.execute inside governed({ agentId }, async (ctx) => ...).";

const BRAND = Symbol.for("@svc/client/SvcClient");

/** Asks a gateway about tool calls. Every fault between here and there is a deny. */
export class SvcClient {
  readonly #settings: ClientSettings;
  readonly #monotonicMs: Monotonic;
  readonly #onFault: ((deny: ClientDeny) => void) | undefined;
  readonly #hints = new HintLog();
  readonly #reports: OutcomeReports;

  /** @throws TypeError that names the setting that is not usable. */
  constructor(options: SvcClientOptions = {}) {
    requireOptions("SvcClient", options, OPTIONS);
    const { onFault, onLostReport, monotonicMs } = options;
    for (const [name, each] of Object.entries({ onFault, onLostReport, monotonicMs }))
      if (each !== undefined) requireFunction(name, each);
    const variables = environment();
    this.#settings = clientSettings(options, variables);
    refuseDecidingProxy(this.#settings.baseUrl, variables, runtime());
    this.#monotonicMs = monotonicMs ?? (() => performance.now());
    this.#onFault = onFault;
    this.#reports = new OutcomeReports(this.#settings, onLostReport ?? (() => {}));
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Also true for a client of another copy of this package in the same process. */
  static isInstance(value: unknown): value is SvcClient {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  /** Milliseconds for one decision, after which it is a deny. */
  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  /**
   * For calls that are not functions. Run the call with the `args` of the answer, then tell with `report` how
   * it ended.
   * @throws SvcDenied or SvcApprovalRequired when the call must not run
   * @throws TypeError for an option that nobody knows
   */
  async execute(tool: string, args: unknown, options: CallOptions): Promise<AllowedCall> {
    requireOptions("execute", options, CALL_OPTIONS);
    const { verdict, call } = await this.#ask(tool, args, options);
    switch (verdict.decision) {
      case "allow":
        // An allow is only ever the answer to a call that was asked about.
        if (call === null) throw new SvcDenied(tool, defect());
        return allowedCall(call, verdict);
      case "pause":
        throw new SvcApprovalRequired(tool, verdict);
      case "deny":
        throw new SvcDenied(tool, verdict);
      default:
        throw new SvcDenied(tool, defect());
    }
  }

  /**
   * The same, with every verdict as a value. A fault is a deny, and never a rejection.
   * @throws TypeError for an option that nobody knows
   */
  async decide(tool: string, args: unknown, options: CallOptions): Promise<ClientVerdict> {
    requireOptions("decide", options, CALL_OPTIONS);
    return (await this.#ask(tool, args, options)).verdict;
  }

  /**
   * Tells how an allowed call ended. Nothing waits for it, and a report that is lost throws nothing.
   * @throws TypeError for a report that could not be one
   */
  report(outcome: Outcome): void {
    requireOutcome(outcome);
    this.#reports.report(outcome);
  }

  /** Resolves when every report was sent or lost. Await it where the platform ends work after an answer. */
  async settled(): Promise<void> {
    await this.#reports.settled();
  }

  /**
   * Signs of life of one session until `end`, or until the process has nothing more to do. The gateway says
   * how often.
   * @throws TypeError for a name that is not an identifier, and for an option that nobody knows
   */
  heartbeats(agentId: string, sessionId: string, options: HeartbeatsOptions = {}): Heartbeats {
    requireOptions("heartbeats", options, HEARTBEATS_OPTIONS);
    const { parentSessionId } = options;
    requireName("agentId", agentId);
    requireName("sessionId", sessionId);
    requireOptionalName("parentSessionId", parentSessionId);
    return new Heartbeats(this.#settings, { agentId, sessionId, parentSessionId });
  }

  async #ask(
    tool: string,
    args: unknown,
    options: CallOptions,
  ): Promise<{ readonly verdict: ClientVerdict; readonly call: Call | null }> {
    let call: Call | null = null;
    let verdict: ClientVerdict;
    try {
      call = await makeCall(tool, args, options);
      verdict = this.#denyProxied() ?? (await askGateway(this.#settings, call, this.#monotonicMs));
    } catch (error) {
      verdict = call === null ? malformed(error) : defect();
    }
    if (verdict.decision !== "deny") return { verdict, call };
    const deny: ClientDeny = {
      ...verdict,
      retryable: verdict.retryable ?? isRetryable(verdict.reason_code),
      ...(verdict.reason_code === "session_required" ? { hint: SESSION_HINT } : {}),
    };
    this.#note(deny);
    return { verdict: deny, call };
  }

  #denyProxied(): ClientDeny | null {
    const hint = hintOfProxy(this.#settings.baseUrl, environment(), globalThis);
    if (hint === null) return null;
    return { ...failClosedDeny("gateway_unreachable", "A proxy stands before the gateway."), hint };
  }

  #note(deny: ClientDeny): void {
    try {
      if (deny.fail_closed && this.#onFault !== undefined) this.#onFault(deny);
      else this.#hints.write(deny);
    } catch {
      // A note about a deny must not be able to undo it.
    }
  }
}

function allowedCall({ tool, args }: Call, verdict: AllowVerdict): AllowedCall {
  const { decision_id, args_constrained } = verdict;
  return { tool, args: shapedArgsOf(verdict) ?? args, decision_id, args_constrained, verdict };
}

/** The text of an error that is not ours may hold anything, so it is not repeated. */
function malformed(error: unknown): ClientDeny {
  const reason = error instanceof MalformedCall ? error.message : "The call cannot be written as JSON.";
  return failClosedDeny("request_malformed", reason);
}

function defect(): ClientDeny {
  return failClosedDeny("internal_error", "The client failed before a verdict was obtained.");
}

function runtime(): Runtime {
  const { Bun, Deno, process } = globalThis as Runtime;
  return { Bun, Deno, process };
}

/** The environment of the process, on platforms that have one. */
function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Record<string, string | undefined> };
  };
  return process?.env ?? {};
}
