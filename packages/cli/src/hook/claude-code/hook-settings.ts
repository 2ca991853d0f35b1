import { readFileSync, statSync } from "node:fs";
import { adapterEnvironment } from "@svc/decision-client/adapter-environment";
import type { DecisionClientSettings } from "@svc/decision-client/decision-client-settings";
import { EnvironmentError, readEnvironment } from "@svc/process/read-environment";
import { type HookOptions, HookUsageError } from "./hook-options.ts";

/** What a hook must know to ask about a call. */
export interface HookSettings {
  readonly client: DecisionClientSettings;
  readonly agentId: string;
  readonly namespace: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const { SVC_GATEWAY_URL, SVC_API_KEY, SVC_ORG_ID, SVC_DECISION_TIMEOUT_MS, SVC_AGENT_ID, SVC_NAMESPACE } =
  adapterEnvironment;

/** A person sets these for svc-cli, so the address has the name that it has there. */
const HOOK_ENVIRONMENT = {
  SVC_URL: SVC_GATEWAY_URL,
  SVC_API_KEY,
  SVC_ORG_ID,
  SVC_DECISION_TIMEOUT_MS,
  SVC_AGENT_ID,
  SVC_NAMESPACE,
};

/** @throws HookUsageError naming the option or variable that is wrong */
export function readHookSettings(options: HookOptions, environment: Environment): HookSettings {
  const values = readValues(environment, {
    SVC_URL: options.url,
    SVC_AGENT_ID: options.agent,
    SVC_NAMESPACE: options.namespace,
    ...(options.apiKeyFile === undefined
      ? {}
      : { SVC_API_KEY_FILE: options.apiKeyFile, SVC_API_KEY: undefined }),
  });
  if (values.SVC_AGENT_ID === null)
    throw new HookUsageError(
      "The hook does not know as which agent calls are judged. Set --agent or SVC_AGENT_ID.",
    );
  return {
    client: {
      gatewayUrl: values.SVC_URL,
      apiKey: values.SVC_API_KEY,
      orgId: values.SVC_ORG_ID,
      timeoutMs: values.SVC_DECISION_TIMEOUT_MS,
      explainsRefusals: true,
    },
    agentId: values.SVC_AGENT_ID,
    namespace: values.SVC_NAMESPACE,
  };
}

function readValues(environment: Environment, given: Environment) {
  const options = Object.entries(given).filter(
    ([name, value]) => value !== undefined || name === "SVC_API_KEY",
  );
  const empty = options.find(([, value]) => value === "");
  if (empty !== undefined) throw new HookUsageError(`${optionOf(empty[0])}: expected a value, found none.`);
  try {
    return readEnvironment(HOOK_ENVIRONMENT, { ...environment, ...Object.fromEntries(options) }, readFile);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const names = options.map(([name]) => name);
    const faults = error.faults.map((fault) => `${namingOption(fault, names)}.`);
    throw new HookUsageError(faults.join(" "), { cause: error });
  }
}

/** The option that stands for a variable. */
const OPTIONS: Readonly<Record<string, string>> = {
  SVC_URL: "--url",
  SVC_AGENT_ID: "--agent",
  SVC_NAMESPACE: "--namespace",
  SVC_API_KEY_FILE: "--api-key-file",
  // The text in the file.
  SVC_API_KEY: "--api-key-file",
};

function optionOf(variable: string): string {
  return OPTIONS[variable] ?? variable;
}

/** A fault begins with a variable. Where an option stood for it, the person knows the option. */
function namingOption(fault: string, given: readonly string[]): string {
  const [variable = ""] = fault.split(":", 1);
  return given.includes(variable) ? optionOf(variable) + fault.slice(variable.length) : fault;
}

/** A pipe without a writer would be waited for until the client gives up, which lets the call run. */
function readFile(path: string): string {
  if (!statSync(path).isFile()) throw new Error("it is not a regular file");
  return readFileSync(path, "utf8");
}
