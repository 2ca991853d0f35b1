import type { Principal } from "@svc/contract/principal";
import { NOT_READ, reachStore } from "../reach-store.ts";
import type { Refusal } from "../refusal.ts";
import { type AppendedVersion, type AppendPorts, appendVersion, refuseMoved } from "./append-version.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import { type DocumentText, readDocument, refuseOtherId } from "./read-document.ts";

export interface PolicyUpdate {
  readonly id: string;
  readonly text: DocumentText;
  /**
   * The version that the caller has seen (If-Match); null: whichever is the latest now. Either way a version
   * that another caller appends meanwhile is not overwritten unseen.
   */
  readonly expectedVersion: number | null;
}

/** Appends a version with a new document. */
export async function updatePolicy(
  ports: AppendPorts,
  principal: Principal,
  { id, text, expectedVersion }: PolicyUpdate,
): Promise<AppendedVersion | Refusal> {
  const found = await reachStore(ports, NOT_READ, () => ports.policies.latestPolicy(principal.org, id));
  if (found.kind === "problem") return found;
  if (found.value === null) return refuseUnknownPolicy(id);
  const { record: latest } = found.value;
  if (expectedVersion !== null && expectedVersion !== latest.version) return refuseMoved(id, latest.version);
  const document = readDocument(text);
  if (document.kind === "problem") return document;
  return (
    refuseOtherId(document, id) ?? appendVersion(ports, principal, { latest, document, rolledBackTo: null })
  );
}
