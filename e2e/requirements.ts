import { adapterRequirements } from "./requirements/adapters.ts";
import { agentRequirements } from "./requirements/agents.ts";
import { alertRequirements } from "./requirements/alerts.ts";
import { approvalPageRequirements } from "./requirements/approval-page.ts";
import { approvalRequirements } from "./requirements/approvals.ts";
import { auditRequirements } from "./requirements/audit.ts";
import { channelRequirements } from "./requirements/channels.ts";
import { drillRequirements } from "./requirements/drills.ts";
import { eventRequirements } from "./requirements/events.ts";
import { executeRequirements } from "./requirements/execute.ts";
import { fairnessRequirements } from "./requirements/fairness.ts";
import { guardrailRequirements } from "./requirements/guardrails.ts";
import { heldCallRequirements } from "./requirements/held-calls.ts";
import { hookRequirements } from "./requirements/hooks.ts";
import { identityRequirements } from "./requirements/identity.ts";
import { integrationRequirements } from "./requirements/integrations.ts";
import { keyRequirements } from "./requirements/keys.ts";
import { killSwitchRequirements } from "./requirements/kill-switch.ts";
import { nameRequirements } from "./requirements/names.ts";
import { namespaceRequirements } from "./requirements/namespaces.ts";
import { operationRequirements } from "./requirements/operation.ts";
import { outboundRequirements } from "./requirements/outbound.ts";
import { outwardRequirements } from "./requirements/outward.ts";
import { policyRequirements } from "./requirements/policy.ts";
import { replayRequirements } from "./requirements/replay.ts";
import type { Requirement } from "./requirements/requirement.ts";
import { runtimeRequirements } from "./requirements/runtimes.ts";
import { secretRequirements } from "./requirements/secrets.ts";
import { telemetryRequirements } from "./requirements/telemetry.ts";
import { tlsRequirements } from "./requirements/tls.ts";

/**
 * Every promise to users, each with an id that tests cite: in a test's name, in a comment line
 * `// proves KILL-07, KILL-19` directly above a test, or as `proves: [POL-07]` of a case in testdata/cases.
 */
export const requirements: readonly Requirement[] = [
  ...executeRequirements,
  ...keyRequirements,
  ...identityRequirements,
  ...hookRequirements,
  ...killSwitchRequirements,
  ...policyRequirements,
  ...guardrailRequirements,
  ...auditRequirements,
  ...adapterRequirements,
  ...agentRequirements,
  ...heldCallRequirements,
  ...alertRequirements,
  ...approvalPageRequirements,
  ...eventRequirements,
  ...approvalRequirements,
  ...channelRequirements,
  ...integrationRequirements,
  ...drillRequirements,
  ...nameRequirements,
  ...namespaceRequirements,
  ...outboundRequirements,
  ...secretRequirements,
  ...telemetryRequirements,
  ...tlsRequirements,
  ...outwardRequirements,
  ...operationRequirements,
  ...fairnessRequirements,
  ...replayRequirements,
  ...runtimeRequirements,
];
