import { failClosedDeny } from "@svc/contract/verdict";
import type { CallOptions } from "./call.ts";
import { defaultClient } from "./default-client.ts";
import { runAllowed } from "./govern-call.ts";
import { requireName, requireOptionalName } from "./require-name.ts";
import { type OptionNames, requireFunction, requireOptions } from "./require-options.ts";
import { requireReached } from "./require-reached.ts";
import type { AllowedCall, SvcClient } from "./svc-client.ts";
import { SvcDenied } from "./svc-denied.ts";

export interface GovernedFnOptions extends Omit<CallOptions, "callId" | "idempotencyKey" | "signal"> {
  /**
   * Names of the parameters in their order, for a function that takes several. Without them, the function
   * takes one object of arguments, or nothing.
   */
  readonly parameters?: readonly string[] | undefined;
  /** Without one, the client of the environment. */
  readonly client?: SvcClient | undefined;
}

const OPTIONS: OptionNames<GovernedFnOptions> = {
  agentId: true,
  sessionId: true,
  namespace: true,
  costUsd: true,
  parameters: true,
  client: true,
};

type Governed<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Awaited<Result>>;

/**
 * Governs every call of a function. Its arguments are recorded by their names, and it is invoked with those
 * that were judged or shaped. `this` stays what it is.
 * @throws TypeError for a tool, an option or a function that cannot be one.
 * The governed function rejects with SvcDenied or SvcApprovalRequired when the call must not run.
 */
export function governedFn(
  tool: string,
  options: GovernedFnOptions,
): <Args extends readonly unknown[], Result>(fn: (...args: Args) => Result) => Governed<Args, Result> {
  requireName("governedFn: tool", tool);
  requireOptions("governedFn", options, OPTIONS);
  const { parameters, client, ...call } = options;
  requireName("governedFn: agentId", call.agentId);
  requireOptionalName("governedFn: sessionId", call.sessionId);
  requireOptionalName("governedFn: namespace", call.namespace);
  requireNames(parameters);
  return <Args extends readonly unknown[], Result>(fn: (...args: Args) => Result) => {
    requireFunction("governedFn(...)(fn)", fn);
    return async function governedCall(this: unknown, ...given: Args): Promise<Awaited<Result>> {
      const asked = client ?? defaultClient();
      const allowed = await asked.execute(tool, namedArguments(tool, given, parameters), call);
      if (parameters === undefined && given.length === 0) requireReached(asked, allowed, fn);
      const applied = appliedArguments(asked, allowed, given, parameters);
      return runAllowed(asked, allowed, () => Reflect.apply(fn, this, applied) as Result);
    };
  };
}

function requireNames(parameters: unknown): void {
  const isList = Array.isArray(parameters) && parameters.every((name) => typeof name === "string");
  if (parameters !== undefined && !isList)
    throw new TypeError('governedFn: parameters: expected a list of names, such as ["amount", "to"]');
}

/** @throws TypeError for arguments without names: the policy could not say what they mean. */
function namedArguments(
  tool: string,
  given: readonly unknown[],
  parameters: readonly string[] | undefined,
): unknown {
  if (parameters === undefined) {
    if (given.length === 0) return {};
    if (given.length === 1 && typeof given[0] === "object" && given[0] !== null) return given[0];
    throw new TypeError(
      `${tool}: expected one object of arguments, found ${String(given.length)} arguments. ` +
        'Name them: governedFn(tool, { agentId, parameters: ["first", "second"] })',
    );
  }
  if (given.length > parameters.length)
    throw new TypeError(
      `${tool}: expected at most the ${String(parameters.length)} arguments that parameters names, ` +
        `found ${String(given.length)}`,
    );
  return Object.fromEntries(given.map((value, index) => [parameters[index], value]));
}

/** @throws SvcDenied when the policy put an argument in that the function has no parameter for. */
function appliedArguments(
  client: SvcClient,
  { tool, args, decision_id: decisionId }: AllowedCall,
  given: readonly unknown[],
  parameters: readonly string[] | undefined,
): readonly unknown[] {
  if (parameters === undefined) return given.length === 0 && Object.keys(args).length === 0 ? [] : [args];
  const unknownName = Object.keys(args).find((name) => !parameters.includes(name));
  if (unknownName !== undefined) {
    client.report({ decisionId, status: "not_executed", durationMs: null });
    const reason = `The policy sets ${unknownName}, which the function does not take.`;
    throw new SvcDenied(tool, failClosedDeny("shaping_unsupported", reason));
  }
  const values = parameters.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined));
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
}
