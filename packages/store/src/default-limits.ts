import { MAX_AGENTS_PER_ORG } from "@svc/contract/agent-limits";
import { MAX_GUARDRAILS_PER_ORG, MAX_POLICIES_PER_GUARDRAIL } from "@svc/contract/guardrail-limits";
import {
  MAX_ACTIVE_KILL_SWITCHES_PER_ORG,
  MAX_ACTIVE_REPLAYS_PER_ORG,
  MAX_KEY_SECRETS,
  MAX_KEYS_PER_ORG,
  MAX_NAMESPACES_PER_ORG,
  MAX_POLICIES_PER_ORG,
  MAX_REPLAYS_PER_ORG,
  MAX_REQUEST_KEYS_PER_PRINCIPAL,
  MAX_WORKFLOWS_PER_ORG,
} from "@svc/contract/limits";
import {
  MAX_KILL_SWITCHES_WITH_DETECTION_PER_ORG,
  MAX_SUPERVISED_SESSIONS_PER_AGENT,
  MAX_SUPERVISED_SESSIONS_PER_ORG,
} from "@svc/contract/supervised-limits";
import { MAX_EXCHANGED_KEYS_PER_ORG, MAX_LIVE_KEYS_PER_TRUST_RULE } from "@svc/contract/trust-limits";
import type { StoreLimits } from "./sql/store-context.ts";

export const DEFAULT_STORE_LIMITS: StoreLimits = {
  activeKillSwitches: MAX_ACTIVE_KILL_SWITCHES_PER_ORG,
  killSwitchesWithDetection: MAX_KILL_SWITCHES_WITH_DETECTION_PER_ORG,
  policies: MAX_POLICIES_PER_ORG,
  guardrails: MAX_GUARDRAILS_PER_ORG,
  policiesOfGuardrail: MAX_POLICIES_PER_GUARDRAIL,
  namespaces: MAX_NAMESPACES_PER_ORG,
  agents: MAX_AGENTS_PER_ORG,
  requestKeys: MAX_REQUEST_KEYS_PER_PRINCIPAL,
  workflows: MAX_WORKFLOWS_PER_ORG,
  keys: MAX_KEYS_PER_ORG,
  keysOfTrustRule: MAX_LIVE_KEYS_PER_TRUST_RULE,
  exchangedKeys: MAX_EXCHANGED_KEYS_PER_ORG,
  keySecrets: MAX_KEY_SECRETS,
  replays: MAX_REPLAYS_PER_ORG,
  activeReplays: MAX_ACTIVE_REPLAYS_PER_ORG,
  supervisedSessions: MAX_SUPERVISED_SESSIONS_PER_ORG,
  supervisedSessionsOfAgent: MAX_SUPERVISED_SESSIONS_PER_AGENT,
};
