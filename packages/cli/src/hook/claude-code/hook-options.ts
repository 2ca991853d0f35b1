import { parseArgs } from "node:util";
import { digestOf } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { didYouMean } from "@svc/text/nearest-name";

/** What the command line of a hook says. It wins over the environment. */
export interface HookOptions {
  readonly agent: string | undefined;
  readonly namespace: string | undefined;
  readonly url: string | undefined;
  readonly apiKeyFile: string | undefined;
  /** Notes which decision allowed a call, for `report`. */
  readonly outcomes: boolean;
  /** The call has run: tell the gateway how it ended. */
  readonly report: boolean;
  readonly help: boolean;
}

/** The command line is wrong. The message says what was expected, what came and what to do. */
export class HookUsageError extends Error {
  override readonly name = "HookUsageError";
}

const OPTIONS = {
  agent: { type: "string" },
  namespace: { type: "string" },
  url: { type: "string" },
  "api-key-file": { type: "string" },
  outcomes: { type: "boolean" },
  report: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** @throws HookUsageError */
export function parseHookOptions(args: readonly string[]): HookOptions {
  const values = readValues(args);
  return {
    agent: values.agent,
    namespace: values.namespace,
    url: values.url,
    apiKeyFile: values["api-key-file"],
    outcomes: values.outcomes === true,
    report: values.report === true,
    help: values.help === true,
  };
}

function readValues(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const known = Object.keys(OPTIONS).map((name) => `--${name}`);
    const text = error instanceof Error ? (error.message.split(". ", 1)[0] ?? "") : String(error);
    const [, found = ""] = /'(-[^' ]*)/.exec(text) ?? [];
    const hint = known.includes(found) ? null : didYouMean(found, known);
    throw new HookUsageError(
      `svc-cli hook claude-code: ${text}${hint === null ? "" : `, ${hint}`}. Expected ${known.join(", ")}.`,
      { cause: error },
    );
  }
}

/** `--help`. Away from a terminal it ends with 2, like everything that is not an allow. */
export const HOOK_HELP = `Examples:
  svc-cli hook install --agent my-agent --url https://svc.example --api-key-file ~/.svc-key
  svc-cli hook claude-code --agent my-agent < call.json

svc-cli hook claude-code reads the JSON of a PreToolUse hook of Claude Code on stdin and asks the gateway
about the call. It ends with 0 when the call is allowed, and with 2 in every other case: then the call does
not run, and the reason is on stderr.

Let svc-cli hook install write the command into the settings. A command without what it adds lets calls run
when Node cannot start it, and a project's settings can then choose the gateway that decides.

Options:
  --agent <id>            agent that the calls are judged as (SVC_AGENT_ID)
  --namespace <name>      its namespace (SVC_NAMESPACE)
  --url <url>             address of the gateway (SVC_URL, default http://localhost:8080)
  --api-key-file <path>   file with the API key (SVC_API_KEY or SVC_API_KEY_FILE)
  --outcomes              remember the decision of an allowed call for --report
  --report                in a PostToolUse hook: report how an allowed call ended
`;

/**
 * The idempotency key of a call that its client names: the same as every client library makes. Two hooks that
 * ask about one call get one decision, which is counted once.
 */
export function callKeyOf(sessionId: string | null, callId: string, args: JsonObject): string {
  return digestOf(["svc-call-1", sessionId, callId, digestOf(args)]);
}

/**
 * Milliseconds from the start of the process until it ends by itself. Claude Code lets a call run whose hook
 * takes too long, so this must stay below the time that `svc-cli hook install` gives the hook.
 */
export const HOOK_DEADLINE_MS = 20_000;
