import type { Principal } from "@svc/contract/principal";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { type AppendedVersion, type AppendPorts, appendVersion, refuseMoved } from "./append-version.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import {
  type DocumentText,
  type LoadMode,
  ORDINARY_LOAD,
  readDocument,
  refuseOtherId,
  type ValidatedDocument,
  validated,
} from "./read-document.ts";

export interface PolicyUpdate {
  readonly id: string;
  readonly text: DocumentText;
  /**
   * The version that the caller has seen (If-Match); null means the latest version now. In both cases a
   * version that another caller appends meanwhile is a conflict.
   */
  readonly expectedVersion: number | null;
  readonly load?: LoadMode;
}

/** Appends a version with a new document; a dry run stops before that. */
export async function updatePolicy(
  ports: AppendPorts & Pick<ControlPlanePorts, "documents" | "guardrails">,
  principal: Principal,
  { id, text, expectedVersion, load = ORDINARY_LOAD }: PolicyUpdate,
): Promise<AppendedVersion | ValidatedDocument | Refusal> {
  const found = await readRecord(
    ports,
    () => ports.policies.latestPolicy(principal.org, id),
    () => refuseUnknownPolicy(id),
  );
  if (found.kind === "problem") return found;
  const { record: latest } = found.value;
  if (expectedVersion !== null && expectedVersion !== latest.version) return refuseMoved(id, latest.version);
  const document = await readDocument(ports, { org: principal.org, text }, load);
  if (document.kind === "problem") return document;
  const renamed = refuseOtherId(document, id);
  if (renamed !== null) return renamed;
  if (load.dryRun) return validated(document);
  return appendVersion(ports, principal, { latest, document, rolledBackTo: null, why: load.why ?? null });
}
