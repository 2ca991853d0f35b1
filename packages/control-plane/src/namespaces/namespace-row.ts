import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type AuditedRogueDetection, type NamespaceRow } from "@svc/contract/audit-row";
import { channelKindsOf } from "@svc/contract/channel-kinds";
import type { NamespaceUpdate } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

export interface NamespaceRowFacts {
  readonly action: NamespaceRow["action"];
  readonly principal: Principal;
  readonly time: string;
  readonly namespace: string;
  readonly changed?: NamespaceUpdate;
  readonly settings?: RogueDetectionSettings;
}

/** The audit row of a change of a namespace or its settings, as text to store. */
export function namespaceRow(facts: NamespaceRowFacts): string {
  const { action, principal, time, namespace, changed = {}, settings } = facts;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "namespace",
    time,
    org: principal.org,
    principal: principal.id,
    action,
    namespace: maskSecretsInIdentifier(namespace),
    name: maskText(changed.name),
    description: maskText(changed.description),
    rogue_detection: settings === undefined ? null : audited(settings),
  });
}

function maskText(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : maskSecretsInText(text);
}

function audited({ escalation, ...rest }: RogueDetectionSettings): AuditedRogueDetection {
  const { notify_channels: channels, ...others } = escalation;
  return { ...rest, escalation: { ...others, notify_channel_kinds: channelKindsOf(channels) } };
}
