import { isName } from "@svc/contract/name";
import {
  type AllowVerdict,
  type DenyVerdict,
  failClosedDeny,
  type PauseVerdict,
  type Verdict,
} from "@svc/contract/verdict";
import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import { jsonSnapshot } from "../json-snapshot.ts";
import { MalformedCall } from "../malformed-call.ts";
import { SvcApprovalRequired } from "../svc-approval-required.ts";
import { SvcDenied } from "../svc-denied.ts";
import type { CheckedOptions } from "./adapter-options.ts";
import type {
  AllowedToolCall,
  CallEnd,
  DeniedToolCall,
  Judgement,
  PausedToolCall,
  ToolArgs,
} from "./judgement.ts";
import { RecentIds } from "./recent-ids.ts";
import type { CheckArgs } from "./schema-check.ts";
import { withinDeadline } from "./within-deadline.ts";

/** A call as a framework hands it over. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
  /** The framework's id of the call, which a model often chose. */
  readonly callId?: string | undefined;
  /** The framework's thread or conversation. */
  readonly sessionId?: string | undefined;
  /** What the user's program gave to the framework, for the session where the framework knows none. */
  readonly context?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Where the framework does not check rewritten arguments itself: says whether the tool takes them. */
  readonly checkArgs?: CheckArgs | undefined;
}

/** What becomes of a call. */
export interface Ways<Result> {
  /** Runs it with exactly these arguments. */
  readonly run: (args: ToolArgs) => Promise<Result> | Result;
  readonly refuse: (refused: DeniedToolCall | PausedToolCall) => Promise<Result> | Result;
  /** Reads a failure out of a result, where the framework turns errors into results. */
  readonly endOf?: (result: Result) => CallEnd;
  /** False for what a tool throws that will run again. */
  readonly hasEnded?: (error: unknown) => boolean;
}

/** Milliseconds beyond the client's own deadline after which the governor answers without the client. */
const GRACE_MS = 250;

/** Number of calls whose start is remembered: far more than one process has in flight. */
const MAX_STARTED = 10_000;

/** Most runs of one call of a session with the same id and arguments whose ends are not reported yet. */
const MAX_RUNS_OF_ONE_ID = 8;

/** The one place where every adapter asks. */
export class ToolGovernor {
  readonly #options: CheckedOptions;
  readonly #started = new RecentIds(MAX_STARTED);
  readonly #previewed = new RecentIds(MAX_STARTED);
  readonly #pauses = new RecentIds(MAX_STARTED);
  /** Where there is no session, ids of calls are told apart by this: they repeat from run to run. */
  readonly #instance = crypto.randomUUID();

  constructor(options: CheckedOptions) {
    this.#options = options;
  }

  /** Asks before a call runs. Never rejects: whatever goes wrong is a deny. */
  async judge(call: ToolCall): Promise<Judgement> {
    try {
      return await this.#judge(call, jsonSnapshot(call.args, "args"));
    } catch (error) {
      return denied(call.tool, failedJudgement(error));
    }
  }

  /**
   * Asks whether a call has to wait for a person, for frameworks that ask before they run it. It is judged
   * again when it runs. Never rejects.
   */
  async preview(call: ToolCall): Promise<Judgement["kind"]> {
    try {
      const verdict = await this.#ask(call, jsonSnapshot(call.args, "args"), 0);
      if (verdict.decision === "pause") return "paused";
      if (verdict.decision !== "allow") return "denied";
      if (verdict.repeated !== true) this.#previewed.add(verdict.decision_id);
      return "allowed";
    } catch {
      return "denied";
    }
  }

  /** Asks, runs the call when it is allowed, and reports how it ended. What `run` throws is thrown. */
  async run<Result>(call: ToolCall, ways: Ways<Result>): Promise<Result> {
    const { run, refuse, endOf = () => "succeeded", hasEnded = () => true } = ways;
    const judgement = await this.judge(call);
    if (judgement.kind !== "allowed") return refuse(judgement);
    let result: Result;
    try {
      result = await run(judgement.args);
    } catch (error) {
      if (hasEnded(error)) judgement.report("failed");
      throw error;
    }
    judgement.report(endOf(result));
    return result;
  }

  async #judge(call: ToolCall, args: JsonValue): Promise<Judgement> {
    for (let run = 0; run < MAX_RUNS_OF_ONE_ID; run += 1) {
      const verdict = await this.#ask(call, args, run);
      switch (verdict.decision) {
        case "allow":
          if (this.#mayHaveBegun(verdict)) continue;
          return await this.#allowed(call, args, verdict);
        case "pause":
          return paused(new SvcApprovalRequired(call.tool, verdict));
        case "deny":
          return denied(call.tool, verdict);
        default:
          return denied(call.tool, defect());
      }
    }
    const reason = `${String(MAX_RUNS_OF_ONE_ID)} runs of this call with the same id have begun.`;
    return denied(call.tool, failClosedDeny("adapter_overloaded", reason));
  }

  /** The answer to a repeated question covers one run, which another process may have begun as well. */
  #mayHaveBegun({ decision_id: id, repeated }: AllowVerdict): boolean {
    return this.#started.has(id) || (repeated === true && !this.#previewed.has(id));
  }

  async #ask(
    { tool, callId, sessionId, context, signal }: ToolCall,
    args: unknown,
    run: number,
  ): Promise<Verdict> {
    const { agentId, namespace, names, client, sessionId: fallback } = this.#options;
    const named = sessionId === undefined || sessionId === "" ? fallback(context) : sessionId;
    const session = named === undefined ? undefined : await sessionNameOf(named);
    const name = this.#nameOf(callId, session, run);
    const call = { agentId, namespace, sessionId: session, signal, callId: name };
    const asking = client.decide(names.get(tool) ?? tool, args, call);
    const verdict = await withinDeadline(asking, client.timeoutMs + GRACE_MS);
    if (verdict.decision === "pause") this.#deliver(tool, verdict);
    return verdict;
  }

  /** Frameworks that ask before they run a call have it judged twice. */
  #deliver(tool: string, verdict: PauseVerdict): void {
    const { approval } = paused(new SvcApprovalRequired(tool, verdict));
    const id = approval.approval_id ?? approval.decision_id;
    if (this.#pauses.has(id)) return;
    this.#pauses.add(id);
    this.#options.onPause(approval);
  }

  #nameOf(callId: string | undefined, session: string | undefined, run: number): string | undefined {
    if (callId === undefined || callId === "") return undefined;
    const own = session === undefined ? `${this.#instance}:${callId}` : callId;
    return run === 0 ? own : `${own}#${String(run)}`;
  }

  async #allowed(call: ToolCall, judged: JsonValue, verdict: AllowVerdict): Promise<Judgement> {
    const { decision_id: decisionId } = verdict;
    if (typeof decisionId !== "string" || decisionId === "") return denied(call.tool, defect());
    this.#started.add(decisionId);
    const report = this.#reporter(decisionId);
    try {
      return { kind: "allowed", args: await argsToRun(call, judged, verdict), report };
    } catch (error) {
      report("not_executed");
      return denied(call.tool, failedJudgement(error));
    }
  }

  #reporter(decisionId: string): AllowedToolCall["report"] {
    const { client } = this.#options;
    const startedMs = performance.now();
    let isReported = false;
    return (status: CallEnd): void => {
      if (isReported) return;
      isReported = true;
      const durationMs = status === "not_executed" ? null : performance.now() - startedMs;
      client.report({ decisionId, status, durationMs });
    };
  }
}

/** The rewritten arguments are not the tool's. */
class UnfitArgs extends Error {}

/** @throws UnfitArgs when the tool does not take what the policy put in place. */
async function argsToRun(
  { checkArgs }: ToolCall,
  judged: JsonValue,
  verdict: AllowVerdict,
): Promise<ToolArgs> {
  if (verdict.args_constrained === false) return ordinary(judged);
  const shaped = ordinary(verdict.shaped_args);
  const checked = (await checkArgs?.(shaped)) ?? { fits: true, args: shaped };
  if (checked.fits) return checked.args;
  throw new UnfitArgs(
    `The policy rewrote the arguments, and the tool does not take them: ${checked.problem}.`,
  );
}

/** Ids of frameworks are any text. One that is not a name becomes its digest. */
async function sessionNameOf(given: unknown): Promise<string> {
  const id = String(given);
  if (isName(id)) return id;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id)));
  return `s-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** An object of the usual prototype, as tools expect it. What the strict reader yields has none. */
function ordinary(value: JsonValue): ToolArgs {
  if (isJsonObject(value)) return structuredClone(value);
  throw new UnfitArgs("The arguments of the verdict are not an object.");
}

function denied(tool: string, verdict: DenyVerdict): DeniedToolCall {
  return { kind: "denied", text: new SvcDenied(tool, verdict).message };
}

function paused(required: SvcApprovalRequired): PausedToolCall {
  const { tool, reason, approval_url, approval_id, decision_id, message } = required;
  const approval = {
    kind: "approval_required" as const,
    tool,
    reason,
    approval_url,
    approval_id,
    decision_id,
  };
  return { kind: "paused", text: message, approval };
}

function failedJudgement(error: unknown): DenyVerdict {
  if (error instanceof UnfitArgs) return failClosedDeny("shaping_unsupported", error.message);
  return error instanceof MalformedCall ? failClosedDeny("request_malformed", error.message) : defect();
}

function defect(): DenyVerdict {
  return failClosedDeny("internal_error", "The adapter failed before a verdict was obtained.");
}
