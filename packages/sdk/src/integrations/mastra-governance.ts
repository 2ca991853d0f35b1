import { type AdapterOptions, checkedOptions } from "./adapter-options.ts";
import type { AllowedToolCall } from "./judgement.ts";
import { ToolGovernor } from "./tool-governor.ts";

export type { AdapterOptions } from "./adapter-options.ts";

/** A call as the hooks of Mastra get it. */
interface MastraCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: unknown;
}

/** The hooks of `new Agent({ hooks })` of Mastra. */
export interface MastraHooks {
  readonly beforeToolCall: (
    call: MastraCall,
  ) => Promise<{ proceed: false; output: { error: string } } | void>;
  readonly afterToolCall: (call: MastraCall & { readonly error?: unknown }) => void;
}

/**
 * Hooks for an agent that judge each tool before it runs. Hooks that a run brings along take their place:
 * give a run no `beforeToolCall` of its own. An agent that is the tool of another needs its own.
 * @throws TypeError that names the option that is not usable.
 */
export function governance(options: AdapterOptions): MastraHooks {
  const governor = new ToolGovernor(checkedOptions(options, "runs all"));
  const reports = new WeakMap<object, AllowedToolCall["report"]>();
  return {
    beforeToolCall: async ({ toolName: tool, input, context }) => {
      const { callId, sessionId, signal, runtime } = idsOf(context);
      const call = { tool, args: input, callId, sessionId, signal, context: runtime };
      const judgement = await governor.judge(call);
      // Nothing but exactly `false` keeps the tool from running.
      if (judgement.kind !== "allowed") return { proceed: false, output: { error: judgement.text } };
      if (typeof input !== "object" || input === null)
        throw new TypeError(`${tool}: no arguments to run with`);
      // The tool gets this very object.
      for (const name of Object.keys(input))
        if (!Reflect.deleteProperty(input, name)) throw new TypeError(name);
      Object.assign(input, judgement.args);
      reports.set(input, judgement.report);
      return undefined;
    },
    afterToolCall: ({ input, error }) => {
      if (typeof input === "object" && input !== null)
        reports.get(input)?.(error === undefined ? "succeeded" : "failed");
    },
  };
}

function idsOf(context: unknown): {
  readonly callId: string | undefined;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly runtime: unknown;
} {
  const { toolCallId, agent, abortSignal, requestContext } = (context ?? {}) as {
    readonly toolCallId?: string;
    readonly agent?: { readonly threadId?: string; readonly toolCallId?: string };
    readonly abortSignal?: AbortSignal;
    readonly requestContext?: unknown;
  };
  return {
    callId: toolCallId ?? agent?.toolCallId,
    sessionId: agent?.threadId,
    signal: abortSignal,
    runtime: requestContext,
  };
}
