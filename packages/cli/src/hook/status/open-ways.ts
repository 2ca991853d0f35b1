import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { HOOK_DEADLINE_MS } from "../claude-code/hook-options.ts";
import { type FoundHook, hooksIn, hooksOfOurs, SKILL_SHELLS } from "../install/find-hooks.ts";
import { FIXED_IN_COMMAND } from "./fixed-in-command.ts";

/** What is wrong with how a hook stands in the settings. */
export interface OpenWay {
  /** True: calls run although the hook did not allow them. */
  readonly isOpen: boolean;
  readonly message: string;
}

/** Shortest timeout in seconds that lets the hook end by itself on a slow machine. */
const MIN_TIMEOUT_S = (2 * HOOK_DEADLINE_MS) / 1_000;

/** The hooks of ours that judge calls. */
export function judgingHooks(settings: JsonObject): readonly FoundHook[] {
  return hooksOfOurs(settings).filter(({ event }) => event === "PreToolUse");
}

/**
 * Ways in which the settings let a call run that the hook does not allow.
 * @param environment of this process, which Claude Code likely has, too
 */
export function openWays(
  settings: JsonObject,
  environment: Readonly<Record<string, string | undefined>>,
): readonly OpenWay[] {
  const open = (message: string): OpenWay => ({ isOpen: true, message });
  const ways = judgingHooks(settings).flatMap((found) => waysOf(found).map(open));
  if (settings["disableAllHooks"] === true) ways.push(open("disableAllHooks is true, so no hook runs"));
  if (settings[SKILL_SHELLS] !== true)
    ways.push(open(`${SKILL_SHELLS} is not true, so shell commands inside skills run without a question`));
  if ((environment[SIMPLE] ?? "") !== "")
    ways.push(open(`${SIMPLE} is set in this environment: with it, Claude Code runs no hook`));
  const commands = judgingHooks(settings).map(({ command }) => command);
  ways.push(...waysOfEnvironment(settings["env"], commands).map(open));
  if (commands.some((command) => !FIXED_IN_COMMAND.apiKeyFile.test(command)))
    ways.push({ isOpen: false, message: "without --api-key-file, a project's settings can set the API key" });
  const others = otherHooks(settings);
  if (others > 0) {
    const message = "another hook of PreToolUse can replace arguments after they were judged";
    ways.push({ isOpen: false, message });
  }
  return ways;
}

/** The variable that the flag --bare of Claude Code sets. */
const SIMPLE = "CLAUDE_CODE_SIMPLE";

/** What the command must hold, because the env of a project's settings could choose it otherwise. */
const FIXED: readonly (readonly [RegExp, string, string])[] = [
  [FIXED_IN_COMMAND.agent, "--agent", "choose the agent"],
  [FIXED_IN_COMMAND.url, "--url", "choose the gateway"],
  [FIXED_IN_COMMAND.nodeOptions, "NODE_OPTIONS= at its start", "run other code first"],
  [FIXED_IN_COMMAND.namespace, "--namespace", "choose the namespace"],
];

function waysOf({ group, hook, command }: FoundHook): string[] {
  const ways: string[] = [];
  const matcher = isJsonObject(group) ? group["matcher"] : undefined;
  if (matcher !== undefined && matcher !== "" && matcher !== "*")
    ways.push(`matcher ${JSON.stringify(matcher)}: calls of other tools are not judged. Remove the matcher`);
  if (hook["if"] !== undefined)
    ways.push(`if ${JSON.stringify(hook["if"])}: other calls are not judged. Remove it`);
  if (hook["type"] !== "command") ways.push('type: expected "command"');
  if (hook["async"] === true || hook["asyncRewake"] === true)
    ways.push("async: the call does not wait for the hook. Remove it");
  const timeout = hook["timeout"];
  if (typeof timeout !== "number" || timeout < MIN_TIMEOUT_S)
    ways.push(`timeout: expected at least ${String(MIN_TIMEOUT_S)}, because a call runs when it is over`);
  if (hook["onFailure"] !== "block")
    ways.push('onFailure: expected "block", because a call whose hook takes too long runs without it');
  if (!/exit 2;? *\}? *$/.test(command))
    ways.push("command: without `|| exit 2` at its end, calls run when the program is missing or killed");
  for (const [piece, what, effect] of FIXED) {
    if (!piece.test(command))
      ways.push(
        `command: without ${what}, the env of a project's settings can ${effect}. Install the hook again`,
      );
  }
  if (/(?:^|\s)--report(?:\s|$)/.test(command)) ways.push("command: --report judges nothing");
  return ways;
}

function otherHooks(settings: JsonObject): number {
  const hooks = settings["hooks"];
  const groups = isJsonObject(hooks) ? hooks["PreToolUse"] : undefined;
  const all = (Array.isArray(groups) ? (groups as readonly JsonValue[]) : []).flatMap(hooksIn);
  return all.length - judgingHooks(settings).length;
}

/** Variables that open a hook, unless a piece of its command keeps them away. */
const VARIABLES: readonly {
  readonly name: string;
  readonly effect: string;
  readonly keptAwayBy?: RegExp;
}[] = [
  { name: "CLAUDE_CODE_SIMPLE", effect: "no hook runs" },
  { name: "CLAUDE_CODE_SHELL_PREFIX", effect: "another program gets the command of the hook" },
  {
    name: "NODE_OPTIONS",
    effect: "Node can run other code before the hook",
    keptAwayBy: FIXED_IN_COMMAND.nodeOptions,
  },
  {
    name: "NODE_COMPILE_CACHE",
    effect: "Node can take other code for that of the hook",
    keptAwayBy: FIXED_IN_COMMAND.compileCache,
  },
  { name: "OPENSSL_CONF", effect: "other code can run in the hook" },
  { name: "LD_PRELOAD", effect: "other code runs in the hook" },
  { name: "DYLD_INSERT_LIBRARIES", effect: "other code runs in the hook" },
  { name: "NODE_TLS_REJECT_UNAUTHORIZED", effect: "another server can answer as the gateway" },
  { name: "NODE_EXTRA_CA_CERTS", effect: "it can let another server answer as the gateway" },
  { name: "SVC_ORG_ID", effect: "calls can be judged in another organization" },
  { name: "SVC_URL", effect: "another gateway can decide", keptAwayBy: FIXED_IN_COMMAND.url },
  {
    name: "SVC_AGENT_ID",
    effect: "calls can be judged as another agent",
    keptAwayBy: FIXED_IN_COMMAND.agent,
  },
  {
    name: "SVC_NAMESPACE",
    effect: "calls can be judged by the policy of another namespace",
    keptAwayBy: FIXED_IN_COMMAND.namespace,
  },
  {
    name: "SVC_API_KEY",
    effect: "calls can be judged with another key. Install the hook with --api-key-file",
    keptAwayBy: FIXED_IN_COMMAND.apiKeyFile,
  },
  {
    name: "SVC_API_KEY_FILE",
    effect: "calls can be judged with another key. Install the hook with --api-key-file",
    keptAwayBy: FIXED_IN_COMMAND.apiKeyFile,
  },
];

/** What the `env` of settings opens. */
export function waysOfEnvironment(env: JsonValue | undefined, commands: readonly string[]): string[] {
  if (!isJsonObject(env)) return [];
  return VARIABLES.flatMap(({ name, effect, keptAwayBy }) => {
    const isSet = env[name] !== undefined && env[name] !== "" && env[name] !== null;
    const isOpen = keptAwayBy === undefined || commands.some((command) => !keptAwayBy.test(command));
    return isSet && isOpen ? [`env sets ${name}: ${effect}`] : [];
  });
}
