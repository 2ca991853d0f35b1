import type { Logger } from "@svc/process/logger";
import { readEnvironment } from "@svc/process/read-environment";
import { agentcoreEnvironment } from "./agentcore-environment.ts";
import { createAskVerdict } from "./ask-verdict.ts";
import { createDenyingInterceptor, createInterceptor, type InterceptorHandler } from "./interceptor.ts";

/**
 * Makes the handler from the environment. A malformed environment is logged and gives a handler that denies
 * every call: if the function did not start, the gateway would decide what happens.
 */
export function startInterceptor(
  env: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): InterceptorHandler {
  const logger = lineLogger(write);
  try {
    return interceptorOf(env, logger);
  } catch (error) {
    logger.error({}, error instanceof Error ? error.message : String(error));
    return createDenyingInterceptor();
  }
}

function interceptorOf(
  env: Readonly<Record<string, string | undefined>>,
  logger: Pick<Logger, "info" | "error">,
): InterceptorHandler {
  const values = readEnvironment(agentcoreEnvironment, env);
  const { SVC_AGENTCORE_CHECKGW_URL: checkgwUrl, SVC_AGENT_ID, SVC_AGENTCORE_AGENT_HEADER } = values;
  if (checkgwUrl === null) throw new Error("SVC_AGENTCORE_CHECKGW_URL: expected the address of svc-checkgw");
  if (SVC_AGENT_ID === null && SVC_AGENTCORE_AGENT_HEADER === null)
    throw new Error("SVC_AGENT_ID: expected an agent, or the name of a header in SVC_AGENTCORE_AGENT_HEADER");
  return createInterceptor({
    settings: {
      identity: { agentId: SVC_AGENT_ID, namespace: values.SVC_NAMESPACE },
      agentHeader: SVC_AGENTCORE_AGENT_HEADER,
      toolNames: values.SVC_AGENTCORE_TOOL_NAMES,
      strict: values.SVC_AGENTCORE_STRICT,
    },
    timeoutMs: values.SVC_DECISION_TIMEOUT_MS,
    ask: createAskVerdict(checkgwUrl, () => performance.now()),
    logger,
  });
}

/** One JSON object a line, as log collectors of functions read them. */
function lineLogger(write: (line: string) => void): Pick<Logger, "info" | "error"> {
  const line = (level: string, fields: object, msg: string): void =>
    write(`${JSON.stringify({ level, name: "svc-agentcore-interceptor", msg, ...fields })}\n`);
  return {
    info: (fields, message) => line("info", fields, message),
    error: (fields, message) => line("error", fields, message),
  };
}
