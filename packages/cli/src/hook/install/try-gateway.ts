import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { ANONYMOUS } from "@svc/contract/principal";
import type { GatewayAnswer } from "@svc/decision-client/answer-reader";
import { AnswerLate, answerWithin } from "@svc/decision-client/answer-within";
import { explainRefusal } from "@svc/decision-client/explain-refusal";
import { createSingleExchange } from "@svc/decision-client/single-exchange";
import { transportCode } from "@svc/decision-client/transport-code";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import type { HookSettings } from "../claude-code/hook-settings.ts";

/** Milliseconds that a person waits for the gateway. */
const TRIAL_TIMEOUT_MS = 5_000;

/** What an API key must permit for the hook to get a verdict. */
const NEEDED_SCOPE = "call:execute";

/** What the gateway says before any call is asked about. */
export interface GatewayTrial {
  /** False: as it is, every call will be blocked. */
  readonly isReady: boolean;
  readonly message: string;
}

/** Asks the gateway who the key is, which records no call. */
export async function tryGateway(settings: HookSettings): Promise<GatewayTrial> {
  const { client } = settings;
  const exchange = createSingleExchange(client);
  const request = { method: "GET", path: "/api/v1/whoami", body: null } as const;
  try {
    return read(await answerWithin(exchange, request, TRIAL_TIMEOUT_MS), settings);
  } catch (error) {
    if (error instanceof AnswerLate) return fault(`no answer came within ${String(TRIAL_TIMEOUT_MS)} ms`);
    return fault(`it cannot be reached (${transportCode(error)})`);
  } finally {
    await exchange.close();
  }
}

function fault(message: string): GatewayTrial {
  return { isReady: false, message };
}

function read(answer: GatewayAnswer, { client, ...caller }: HookSettings): GatewayTrial {
  const { status, body } = answer;
  if (status < 200 || status > 299) return fault(explainRefusal(answer, client).reason);
  const document = body === null ? null : parseStrictJson(body, MAX_VERDICT_BYTES);
  if (document?.ok !== true || !isJsonObject(document.value))
    return fault("what answers is not a gateway: expected a JSON object");
  return judge(document.value, caller);
}

function judge(
  { key_id, scopes, agents, namespaces }: JsonObject,
  { agentId, namespace }: Omit<HookSettings, "client">,
): GatewayTrial {
  if (typeof key_id !== "string" || !Array.isArray(scopes))
    return fault("what answers is not a gateway: expected a key_id and its scopes");
  if (key_id === ANONYMOUS) return { isReady: true, message: "it answers, and asks for no API key" };
  if (!scopes.includes(NEEDED_SCOPE)) return fault(`key ${key_id} does not have the scope ${NEEDED_SCOPE}`);
  if (Array.isArray(agents) && !agents.includes(agentId))
    return fault(`key ${key_id} may not act for agent ${agentId}`);
  if (namespace !== null && Array.isArray(namespaces) && !namespaces.includes(namespace))
    return fault(`key ${key_id} may not act in namespace ${namespace}`);
  return { isReady: true, message: `it answers, and key ${key_id} may ask for agent ${agentId}` };
}
