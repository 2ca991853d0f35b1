import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { type AdapterOptions, checkedOptions } from "./adapter-options.ts";
import type { AllowedToolCall } from "./judgement.ts";
import { ToolGovernor } from "./tool-governor.ts";

export type { AdapterOptions } from "./adapter-options.ts";

type ClaudeHook = (input: unknown, toolUseId: string | undefined, options: object) => Promise<object>;

type ClaudePermission = NonNullable<Options["canUseTool"]>;

interface ClaudeMatcher {
  readonly matcher?: string;
  readonly hooks: readonly ClaudeHook[];
}

interface ClaudeCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  readonly session_id?: string;
}

/** Calls that were allowed and have not ended, by their id. */
type OpenCalls = Map<
  string,
  {
    readonly report: AllowedToolCall["report"];
    /** The arguments that the gateway was asked about, as JSON. */
    readonly judged: string;
    readonly sessionId: string | undefined;
  }
>;

/** The environment variable that `--bare` sets. */
const SIMPLE = "CLAUDE_CODE_SIMPLE";

/** The option behind `permissionPromptToolName`. */
const PROMPT_TOOL = "permission-prompt-tool";

const CHANGED =
  "A hook or permission of this agent changed the arguments after they were judged, so the call was not run.";

const STALE =
  "The gateway did not allow this call any longer after it was permitted here, so it was not run. Make the " +
  "call again to read why.";

/** Milliseconds for which a verdict holds while somebody else decides about the call. */
const FRESH_MS = 1_000;

/** Number of calls whose report waits for their end. */
const MAX_OPEN_CALLS = 10_000;

/** What ends first in seconds: the question itself has a deadline, and a hook that is late is blocked. */
const HOOK_TIMEOUT_S = 120;

/**
 * The options of `query` with hooks that judge each tool before it runs, the tools of sub-agents included.
 * Hooks of yours stay in force, but none may change the arguments of a call: those that were judged run.
 * @throws TypeError that names the option that is not usable.
 */
export function governed(queryOptions: Options, options: AdapterOptions): Options {
  const governor = new ToolGovernor(checkedOptions(options, "runs all"));
  refuseWithoutHooks(queryOptions);
  const { canUseTool } = queryOptions;
  const open: OpenCalls = new Map();
  const ended =
    (end: "failed" | "succeeded"): ClaudeHook =>
    (input) => {
      const id = (input as ClaudeCall).tool_use_id;
      open.get(id)?.report(end);
      open.delete(id);
      return Promise.resolve({});
    };
  const settings = settingsWithoutShells(queryOptions.settings);
  const own = (queryOptions.hooks ?? {}) as Readonly<Record<string, readonly ClaudeMatcher[]>>;
  // Without a matcher, a hook is asked about every tool.
  const matcher = (hook: ClaudeHook): object => ({
    hooks: [hook],
    timeout: HOOK_TIMEOUT_S,
    onFailure: "block",
  });
  const hooks = {
    ...own,
    PreToolUse: [
      ...(own["PreToolUse"] ?? []).map((one) => keptArgs(one, keepingArgs)),
      matcher((input) => judge(governor, open, input)),
    ],
    PermissionRequest: (own["PermissionRequest"] ?? []).map((one) => keptArgs(one, permittingArgs)),
    PostToolUse: [...(own["PostToolUse"] ?? []), { hooks: [ended("succeeded")] }],
    PostToolUseFailure: [...(own["PostToolUseFailure"] ?? []), { hooks: [ended("failed")] }],
  };
  if (canUseTool === undefined) return { ...queryOptions, hooks, settings };
  return { ...queryOptions, hooks, settings, canUseTool: permitting(canUseTool, governor, open) };
}

/**
 * A skill can have shell commands that run while it is loaded, with arguments of the model: no hook is asked.
 * @throws TypeError for the path of a file, which cannot be read here.
 */
function settingsWithoutShells(
  settings: Options["settings"],
): NonNullable<Exclude<Options["settings"], string>> {
  if (typeof settings === "string")
    throw new TypeError(
      "settings: expected an object, because it gets disableSkillShellExecution. Read the file yourself",
    );
  return { ...settings, disableSkillShellExecution: true };
}

/** @throws TypeError for what makes Claude Code run tools without asking any hook, or after the last one. */
function refuseWithoutHooks({ extraArgs = {}, env = processEnv(), permissionPromptToolName }: Options): void {
  if (permissionPromptToolName !== undefined || PROMPT_TOOL in extraArgs)
    throw new TypeError(
      "permissionPromptToolName: the tool may change the arguments after they were judged. Use canUseTool",
    );
  if ("bare" in extraArgs)
    throw new TypeError("extraArgs: bare turns off every hook, so no call would be judged. Leave it out");
  if ((env[SIMPLE] ?? "") !== "")
    throw new TypeError(`env: ${SIMPLE} turns off every hook, so no call would be judged. Leave it out`);
}

/** What Claude Code inherits where the options name no environment. */
function processEnv(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { readonly process?: { readonly env?: Record<string, string> } };
  return process?.env ?? {};
}

/**
 * The agent's own permission, which may not change the arguments that were judged. A person may think for an
 * hour: after more than a moment, the gateway is asked again, about the arguments as they will run.
 */
function permitting(canUseTool: ClaudePermission, governor: ToolGovernor, open: OpenCalls): ClaudePermission {
  return async (tool, input, about) => {
    const before = JSON.stringify(input);
    const startedMs = performance.now();
    const result = await canUseTool(tool, input, about);
    const { behavior, updatedInput = input } = result as {
      readonly behavior?: unknown;
      readonly updatedInput?: unknown;
    };
    if (JSON.stringify(updatedInput) !== before) return { behavior: "deny", message: CHANGED };
    if (behavior !== "allow" || performance.now() - startedMs < FRESH_MS) return result;
    return (await isStillAllowed(governor, open, { tool, args: input, callId: about.toolUseID }))
      ? result
      : { behavior: "deny", message: STALE };
  };
}

/** Under the same id, the same arguments stay one call. Rewritten ones are another call. */
async function isStillAllowed(
  governor: ToolGovernor,
  open: OpenCalls,
  asked: { readonly tool: string; readonly args: unknown; readonly callId: string },
): Promise<boolean> {
  const { args, callId } = asked;
  const judged = JSON.stringify(args);
  const earlier = open.get(callId);
  const sessionId = earlier?.sessionId;
  const call = { ...asked, sessionId };
  if (earlier?.judged === judged) return (await governor.preview(call)) === "allowed";
  earlier?.report("not_executed");
  open.delete(callId);
  const again = await governor.judge(call);
  if (again.kind !== "allowed") return false;
  if (JSON.stringify(again.args) !== judged) {
    again.report("not_executed");
    return false;
  }
  open.set(callId, { report: again.report, judged, sessionId });
  return true;
}

const permittingArgs =
  (hook: ClaudeHook): ClaudeHook =>
  async (input, toolUseId, options) => {
    const output = await hook(input, toolUseId, options);
    const { hookSpecificOutput } = output as { readonly hookSpecificOutput?: { readonly decision?: object } };
    const { decision } = hookSpecificOutput ?? {};
    if (decision === undefined || !("updatedInput" in decision)) return output;
    const denied = { behavior: "deny", message: CHANGED };
    return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: denied } };
  };

/** Never rejects: the tool of a hook that fails would run. */
async function judge(governor: ToolGovernor, open: OpenCalls, input: unknown): Promise<object> {
  try {
    const {
      tool_name: tool,
      tool_input: args,
      tool_use_id: callId,
      session_id: sessionId,
    } = input as ClaudeCall;
    const judgement = await governor.judge({ tool, args, callId, sessionId });
    // `ask` would have a person at this machine approve the call, and nobody would ask the gateway again.
    if (judgement.kind !== "allowed") return deny(judgement.text);
    if (open.size < MAX_OPEN_CALLS)
      open.set(callId, { report: judgement.report, judged: JSON.stringify(args), sessionId });
    // Without a decision, the permissions of the agent stay in force.
    if (JSON.stringify(judgement.args) === JSON.stringify(args)) return {};
    return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: judgement.args } };
  } catch {
    return deny("The call was not judged, so it was not run.");
  }
}

function deny(reason: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

/** Of several hooks that change the arguments, the last one wins. None sees what another one made. */
function keptArgs(matcher: ClaudeMatcher, keeping: (hook: ClaudeHook) => ClaudeHook): object {
  return { ...matcher, hooks: matcher.hooks.map(keeping) };
}

function keepingArgs(hook: ClaudeHook): ClaudeHook {
  return async (input, toolUseId, options) => {
    const output = await hook(input, toolUseId, options);
    const { hookSpecificOutput } = output as { readonly hookSpecificOutput?: object };
    return hookSpecificOutput !== undefined && "updatedInput" in hookSpecificOutput ? deny(CHANGED) : output;
  };
}
