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

/** The environment variable that `--bare` sets. */
const SIMPLE = "CLAUDE_CODE_SIMPLE";

const CHANGED =
  "A hook or permission of this agent changed the arguments after they were judged, so the call was not run.";

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
  const open = new Map<string, AllowedToolCall["report"]>();
  const ended =
    (end: "failed" | "succeeded"): ClaudeHook =>
    (input) => {
      const id = (input as ClaudeCall).tool_use_id;
      open.get(id)?.(end);
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
  return { ...queryOptions, hooks, settings, canUseTool: permitting(canUseTool) };
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

/** @throws TypeError for what makes Claude Code run tools without asking any hook. */
function refuseWithoutHooks({ extraArgs = {}, env = processEnv() }: Options): void {
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

/** The agent's own permission, which may not change the arguments that were judged. */
function permitting(canUseTool: ClaudePermission): ClaudePermission {
  return async (tool, input, about) => {
    const before = JSON.stringify(input);
    const result = await canUseTool(tool, input, about);
    const { updatedInput = input } = result as { readonly updatedInput?: unknown };
    const isKept = JSON.stringify(updatedInput) === before;
    return isKept ? result : { behavior: "deny", message: CHANGED };
  };
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
async function judge(
  governor: ToolGovernor,
  open: Map<string, AllowedToolCall["report"]>,
  input: unknown,
): Promise<object> {
  try {
    const {
      tool_name: tool,
      tool_input: args,
      tool_use_id: callId,
      session_id: sessionId,
    } = input as ClaudeCall;
    const judgement = await governor.judge({ tool, args, callId, sessionId });
    // `ask` would have a person at this machine approve the call, and nobody would ask the gateway again.
    if (judgement.kind !== "allowed") return answer("deny", judgement.text);
    if (open.size < MAX_OPEN_CALLS) open.set(callId, judgement.report);
    // An empty answer leaves the permissions of the agent in force.
    if (JSON.stringify(judgement.args) === JSON.stringify(args)) return {};
    return answer("allow", "The policy allows the call with other arguments.", {
      updatedInput: judgement.args,
    });
  } catch {
    return answer("deny", "The call was not judged, so it was not run.");
  }
}

function answer(decision: "allow" | "deny", reason: string, more: object = {}): object {
  const about = {
    hookEventName: "PreToolUse",
    permissionDecision: decision,
    permissionDecisionReason: reason,
  };
  return { hookSpecificOutput: { ...about, ...more } };
}

/** Of several hooks that change the arguments, the last one wins. None sees what another one made. */
function keptArgs(matcher: ClaudeMatcher, keeping: (hook: ClaudeHook) => ClaudeHook): object {
  return { ...matcher, hooks: matcher.hooks.map(keeping) };
}

function keepingArgs(hook: ClaudeHook): ClaudeHook {
  return async (input, toolUseId, options) => {
    const output = await hook(input, toolUseId, options);
    const { hookSpecificOutput } = output as { readonly hookSpecificOutput?: object };
    return hookSpecificOutput !== undefined && "updatedInput" in hookSpecificOutput
      ? answer("deny", CHANGED)
      : output;
  };
}
