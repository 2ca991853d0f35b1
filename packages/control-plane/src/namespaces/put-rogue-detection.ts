import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { NamespaceRogueDetection, RequestedRogueDetection } from "@svc/contract/rogue-detection";
import { callStore } from "../call-store.ts";
import type { ChannelPorts } from "../channels/channel-ports.ts";
import { forgetChannels, keepChannels } from "../channels/keep-channels.ts";
import type { Outcome } from "../refusal.ts";
import { refuseUnknownNamespace } from "./get-namespace.ts";
import { logNamespace } from "./log-namespace.ts";
import { namespaceRow } from "./namespace-row.ts";
import { rogueDetectionView } from "./rogue-detection-view.ts";

const NOT_CHANGED =
  "The store did not confirm the change, so the settings may be as they were. " +
  "Repeat the call; repeating is safe.";

const CHANNELS_POINTER = "/rogue_detection/escalation/notify_channels";

/** Replaces the settings of a namespace that exists. */
export async function putRogueDetection(
  ports: ChannelPorts,
  principal: Principal,
  { id, settings: requested }: { readonly id: string; readonly settings: RequestedRogueDetection },
): Promise<Outcome<NamespaceRogueDetection>> {
  const bound = refuseBinding(principal, { agent_id: null, namespace: id });
  if (bound !== null) return { kind: "problem", problem: bound };
  const before = await callStore(ports, NOT_CHANGED, () =>
    ports.namespaces.rogueDetection(principal.org, id),
  );
  if (before.kind === "problem") return before;
  if (before.value.kind === "not_found") return refuseUnknownNamespace(id);
  const { notify_channels: entries } = requested.escalation;
  const kept = await keepChannels(ports, principal, { entries, pointer: CHANNELS_POINTER });
  if (kept.kind === "problem") return kept;
  const settings = { ...requested, escalation: { ...requested.escalation, notify_channels: kept.value } };
  const time = ports.clock.now().toISOString();
  const action = "rogue_detection_changed";
  const auditRow = namespaceRow({ action, principal, time, namespace: id, settings });
  const stored = { settings, updatedAt: time, updatedBy: principal.id };
  const put = await callStore(ports, NOT_CHANGED, () =>
    ports.namespaces.putRogueDetection({ org: principal.org, auditRow, id, stored }),
  );
  if (put.kind === "problem") return put;
  if (put.value.kind === "not_found") return refuseUnknownNamespace(id);
  const earlier = before.value.stored?.settings.escalation.notify_channels ?? [];
  await forgetChannels(ports, principal, { before: earlier, after: kept.value });
  logNamespace(ports.log, "rogue detection changed", { principal, id });
  return { kind: "ok", value: rogueDetectionView(id, stored) };
}
