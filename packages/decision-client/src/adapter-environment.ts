import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import {
  DEFAULT_DECISION_TIMEOUT_MS,
  MAX_DECISION_TIMEOUT_MS,
  MIN_DECISION_TIMEOUT_MS,
} from "@svc/contract/limits";
import { NAME_EXPECTATION, nameFault } from "@svc/contract/name";
import type { EnvironmentTable, EnvironmentValues } from "@svc/process/environment-table";
import { parseHttpUrl, parseInteger, parseOneOf } from "@svc/process/parsers";
import type { DecisionClientSettings } from "./decision-client-settings.ts";

const DEFAULT_GATEWAY_URL = "http://localhost:8080";

/** Whether an adapter sends heartbeats for the sessions that it carries. */
const HEARTBEAT = ["off", "on"] as const;

/** What every adapter binary reads; each adds its own variables and reads the whole table once, at start. */
export const adapterEnvironment = {
  SVC_GATEWAY_URL: {
    parse: parseHttpUrl,
    fallback: new URL(DEFAULT_GATEWAY_URL),
    defaultText: DEFAULT_GATEWAY_URL,
    meaning: "base address of the gateway that decides",
  },
  SVC_API_KEY: {
    parse: parseApiKey,
    fallback: null,
    defaultText: "none",
    meaning: "key sent to the gateway",
    secret: true,
  },
  SVC_ORG_ID: {
    parse: parseIdentifier,
    fallback: null,
    defaultText: "none",
    meaning: "organization; may only repeat the key's own",
  },
  SVC_DECISION_TIMEOUT_MS: {
    parse: parseInteger(MIN_DECISION_TIMEOUT_MS, MAX_DECISION_TIMEOUT_MS),
    fallback: DEFAULT_DECISION_TIMEOUT_MS,
    defaultText: String(DEFAULT_DECISION_TIMEOUT_MS),
    meaning: "milliseconds for one decision, after which it is a deny",
  },
  SVC_AGENT_ID: {
    parse: parseName,
    fallback: null,
    defaultText: "none",
    meaning: "agent that every call of this process is judged as; a request that names another is refused",
  },
  SVC_NAMESPACE: {
    parse: parseName,
    fallback: null,
    defaultText: "none",
    meaning: "namespace of every call of this process, default if SVC_AGENT_ID is set; another is refused",
  },
  SVC_HEARTBEAT: {
    parse: parseOneOf(HEARTBEAT),
    fallback: HEARTBEAT[0],
    defaultText: HEARTBEAT[0],
    meaning: "on: heartbeats are sent for the sessions whose calls were allowed; off: none",
  },
} satisfies EnvironmentTable;

/** The values of the table, in the form that the parts of an adapter take. */
export interface AdapterSettings {
  readonly client: DecisionClientSettings;
  readonly heartbeat: (typeof HEARTBEAT)[number];
  readonly identity: { readonly agentId: string | null; readonly namespace: string | null };
}

export function adapterSettings(values: EnvironmentValues<typeof adapterEnvironment>): AdapterSettings {
  return {
    client: {
      gatewayUrl: values.SVC_GATEWAY_URL,
      apiKey: values.SVC_API_KEY,
      orgId: values.SVC_ORG_ID,
      timeoutMs: values.SVC_DECISION_TIMEOUT_MS,
    },
    heartbeat: values.SVC_HEARTBEAT,
    identity: { agentId: values.SVC_AGENT_ID, namespace: values.SVC_NAMESPACE },
  };
}

function parseIdentifier(text: string): string | null {
  if (!isIdentifier(text)) throw new Error(IDENTIFIER_EXPECTATION);
  return text;
}

function parseName(text: string): string | null {
  const fault = nameFault(text);
  if (fault !== null) throw new Error(`${NAME_EXPECTATION}; ${fault}`);
  return text;
}

/**
 * A key travels in a header: a line break in it, for instance from a file, must not become another header.
 */
function parseApiKey(text: string): string | null {
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) throw new Error("1 to 512 visible ASCII characters");
  return text;
}
