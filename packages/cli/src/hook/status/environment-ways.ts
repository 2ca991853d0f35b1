import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import { FIXED_IN_COMMAND } from "./fixed-in-command.ts";

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
