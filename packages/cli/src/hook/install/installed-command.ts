import type { JsonObject } from "@svc/text/json-value";
import { shellWord } from "../../frame/shell-word.ts";

/**
 * Seconds that Claude Code gives the hook. Afterwards it lets the call run, so this must be well above the
 * time after which the hook ends by itself, also on a machine that is slow to start a process.
 */
const CLIENT_TIMEOUT_S = 60;

/** The same for a report, which stops no call. */
const REPORT_TIMEOUT_S = 60;

/**
 * What the installed command is told. What is not given is read from the environment of Claude Code, to which
 * the settings of a project can add: agent and address are always given.
 */
export interface CommandOptions {
  readonly agent: string;
  readonly namespace: string | undefined;
  readonly url: string;
  readonly apiKeyFile: string | undefined;
}

/** The program that runs the hook, as absolute paths. */
export interface HookProgram {
  readonly node: string;
  readonly script: string;
}

/** An event of Claude Code, and what stands for it in the settings. */
export type HookGroups = Readonly<Record<string, JsonObject>>;

/** The groups without a matcher, so that no tool is left out. */
export function hookGroups(program: HookProgram, options: CommandOptions): HookGroups {
  const command = (mode: string, end: string) => {
    const words = [program.node, program.script, "hook", "claude-code", mode, ...optionWords(options)];
    return NOT_FROM_OUTSIDE + words.map(shellWord).join(" ") + end;
  };
  // Not asynchronous: Claude Code ends such hooks with itself, and the report of the last call would be lost.
  const report = { type: "command", command: command("--report", ""), timeout: REPORT_TIMEOUT_S };
  const judging = { type: "command", command: command("--outcomes", OR_BLOCK), timeout: CLIENT_TIMEOUT_S };
  // Versions that do not know this ignore it. With it, a hook that takes too long blocks, too.
  const judge = { ...judging, onFailure: "block" };
  return {
    PreToolUse: { hooks: [judge] },
    PostToolUse: { hooks: [report] },
    PostToolUseFailure: { hooks: [report] },
  };
}

/** Claude Code runs a call whose hook is missing or was killed. The shell turns these ends into a block. */
const OR_BLOCK =
  ' || { code=$?; [ "$code" = 2 ] || ' +
  'echo "svc-cli hook ended with code $code, so the call was blocked." >&2; exit 2; }';

/**
 * What the env of a project's settings must not set: it could have Node run other code first, or choose a
 * namespace with another policy.
 */
const NOT_FROM_OUTSIDE = "NODE_OPTIONS= NODE_COMPILE_CACHE= SVC_NAMESPACE= ";

/** A word of a shell that ends in some way, with or without quotes. */
const wordEnding = (end: string): string => `(?:'(?:[^']|'\\\\'')*${end}'|[^\\s';|&]*${end})`;

const NODE = `${wordEnding("node(?:\\.exe)?")}\\s+${wordEnding("main\\.[jt]s")}`;
const OURS = new RegExp(
  `^(?:[A-Z_]+= )*(?:(?:npx\\s+)?${wordEnding("svc-cli(?:\\.[cm]?js)?")}|${NODE})\\s+hook\\s+claude-code(?:\\s|$)`,
);

/** Whether a command in the settings runs this program, from whatever place and with whatever options. */
export function isHookCommand(command: unknown): command is string {
  return typeof command === "string" && OURS.test(command);
}

function optionWords({ agent, namespace, url, apiKeyFile }: CommandOptions): string[] {
  const options = { agent, namespace, url, "api-key-file": apiKeyFile };
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}
