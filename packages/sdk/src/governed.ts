import type { JsonObject } from "@svc/text/json-value";
import { formatUsd, parseUsd } from "@svc/text/usd";
import type { CallOptions } from "./call.ts";
import { defaultClient } from "./default-client.ts";
import { runAllowed } from "./govern-call.ts";
import { requireName, requireOptionalName } from "./require-name.ts";
import { type OptionNames, requireFunction, requireOptions } from "./require-options.ts";
import { requireReached } from "./require-reached.ts";
import type { AllowedCall, SvcClient } from "./svc-client.ts";

export interface GovernedOptions {
  readonly agentId: string;
  /** A conversation keeps its id over many runs. Without one, the run gets a new session. */
  readonly sessionId?: string | undefined;
  readonly namespace?: string | undefined;
  /** Of the run around: heartbeats name it as the parent of this session. */
  readonly parentSessionId?: string | undefined;
  /** True: the gateway is told that the session lives, until it ends. */
  readonly heartbeats?: boolean | undefined;
  /** Without one, the client of the environment. */
  readonly client?: SvcClient | undefined;
}

const OPTIONS: OptionNames<GovernedOptions> = {
  agentId: true,
  sessionId: true,
  namespace: true,
  parentSessionId: true,
  heartbeats: true,
  client: true,
};

type StepOptions = Omit<CallOptions, "agentId" | "namespace" | "sessionId">;

/** One run of an agent. Its calls belong to one session, whose steps and cost the gateway counts. */
export class GovernedSession {
  readonly agentId: string;
  readonly sessionId: string;
  readonly namespace: string | undefined;
  readonly #client: SvcClient;
  #steps = 0;
  #costMicroUsd = 0;

  constructor(client: SvcClient, { agentId, sessionId, namespace }: GovernedOptions) {
    this.#client = client;
    this.agentId = agentId;
    this.sessionId = sessionId ?? `s-${crypto.randomUUID().replaceAll("-", "")}`;
    this.namespace = namespace;
    requireName("agentId", this.agentId);
    requireName("sessionId", this.sessionId);
    requireOptionalName("namespace", this.namespace);
  }

  /** Calls that were allowed here. The gateway keeps the account that ceilings are judged by. */
  get steps(): number {
    return this.#steps;
  }

  /** What they cost, as their callers said, in USD. */
  get costUsd(): string {
    return formatUsd(this.#costMicroUsd);
  }

  /** As SvcClient.execute, in this session. */
  execute(tool: string, args: unknown, options?: StepOptions): Promise<AllowedCall>;
  /** As governCall, in this session. */
  execute<Args extends object, Result>(
    tool: string,
    args: Args,
    options: StepOptions & { readonly fn: (args: Args) => Result },
  ): Promise<Awaited<Result>>;
  async execute<Args extends object>(
    tool: string,
    args: Args,
    options: StepOptions & { readonly fn?: (args: Args) => unknown } = {},
  ): Promise<unknown> {
    const { fn, ...step } = options;
    // A call that was allowed counts, so a mistake is found before the question.
    if (fn !== undefined) requireFunction("fn", fn);
    const { agentId, sessionId, namespace } = this;
    const allowed = await this.#client.execute(tool, args, { ...step, agentId, sessionId, namespace });
    this.#steps += 1;
    this.#costMicroUsd += step.costUsd === undefined ? 0 : (parseUsd(step.costUsd) ?? 0);
    if (fn === undefined) return allowed;
    requireReached(this.#client, allowed, fn);
    return runAllowed(this.#client, allowed, (judged: JsonObject) => fn(judged as Args));
  }

  /** Tells how a call ended that was asked about without a function. */
  report(
    { decision_id: decisionId }: Pick<AllowedCall, "decision_id">,
    status: "failed" | "not_executed" | "succeeded",
    durationMs: number | null = null,
  ): void {
    this.#client.report({ decisionId, status, durationMs });
  }
}

/**
 * Runs an agent in one session and hands it the context through which its tool calls go.
 * @returns what `run` returns; what it throws is thrown
 * @throws TypeError for an option that is not usable
 */
export async function governed<Result>(
  options: GovernedOptions,
  run: (context: GovernedSession) => Result,
): Promise<Awaited<Result>> {
  requireOptions("governed", options, OPTIONS);
  requireFunction("governed(options, run)", run);
  const client = options.client ?? defaultClient();
  const session = new GovernedSession(client, options);
  const { parentSessionId } = options;
  requireOptionalName("parentSessionId", parentSessionId);
  const heartbeats =
    options.heartbeats === true
      ? client.heartbeats(session.agentId, session.sessionId, { parentSessionId })
      : null;
  try {
    return await run(session);
  } finally {
    await heartbeats?.end();
  }
}
