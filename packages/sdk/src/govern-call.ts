import type { JsonObject } from "@svc/text/json-value";
import { CALL_OPTIONS, type CallOptions } from "./call.ts";
import { defaultClient } from "./default-client.ts";
import { type OptionNames, requireFunction, requireOptions } from "./require-options.ts";
import { requireReached } from "./require-reached.ts";
import type { AllowedCall, SvcClient } from "./svc-client.ts";

export interface GovernCallOptions<Args, Result> extends CallOptions {
  /**
   * Runs only when the call is allowed, once, with the arguments that were judged or shaped. One without
   * parameters has its arguments already: where the policy shapes them, it is denied.
   */
  readonly fn: (args: Args) => Result;
  /** Without one, the client of the environment. */
  readonly client?: SvcClient | undefined;
}

const OPTIONS: OptionNames<GovernCallOptions<never, unknown>> = { ...CALL_OPTIONS, fn: true, client: true };

/**
 * Asks for a verdict, then invokes `fn` and returns its result unchanged. What `fn` throws is thrown.
 * @throws SvcDenied or SvcApprovalRequired when the call must not run; `fn` is then never invoked.
 */
export async function governCall<Args extends object, Result>(
  tool: string,
  args: Args,
  options: GovernCallOptions<Args, Result>,
): Promise<Awaited<Result>> {
  // A call that was allowed counts, so a mistake is found before the question.
  requireOptions("governCall", options, OPTIONS);
  const { fn, client = defaultClient(), ...call } = options;
  requireFunction("fn", fn);
  const allowed = await client.execute(tool, args, call);
  requireReached(client, allowed, fn);
  // The policy's arguments have the form that the tool's own have; a value of another form is the policy's.
  return runAllowed(client, allowed, (judged: JsonObject) => fn(judged as Args));
}

/** Runs an allowed call, and reports how it ended. */
export async function runAllowed<Result>(
  client: Pick<SvcClient, "report">,
  { args, decision_id: decisionId }: AllowedCall,
  run: (args: JsonObject) => Result,
): Promise<Awaited<Result>> {
  const startedMs = performance.now();
  const report = (status: "failed" | "succeeded"): void =>
    client.report({ decisionId, status, durationMs: Math.max(0, performance.now() - startedMs) });
  let result: Awaited<Result>;
  try {
    result = await run(args);
  } catch (error) {
    report("failed");
    throw error;
  }
  report("succeeded");
  return result;
}
