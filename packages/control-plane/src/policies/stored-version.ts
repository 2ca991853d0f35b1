import { MAX_POLICIES_PER_GUARDRAIL } from "@svc/contract/guardrail-limits";
import type { PolicyVersionRecord } from "@svc/contract/policy";
import type { PolicySummary } from "@svc/policy-analysis/check-document";
import type { GuardrailRefusal, StoredVersion } from "@svc/store/ports/policy-store";
import { type Refusal, refuse } from "../refusal.ts";
import type { ReadDocument } from "./read-document.ts";

/** A version as it is stored, with its guardrails in it where the document names any. */
export function storedVersion(
  record: PolicyVersionRecord,
  { source, mediaType, sealed }: Pick<ReadDocument, "source" | "mediaType" | "sealed">,
): StoredVersion {
  return { record, source, mediaType, ...(sealed === null ? {} : { sealed }) };
}

/** The member of a record that names the versions of its guardrails; none for a policy without. */
export function namedGuardrails({
  guardrails,
}: Pick<PolicySummary, "guardrails">): Pick<PolicyVersionRecord, "guardrails"> {
  return guardrails.length === 0 ? {} : { guardrails };
}

/** Refuses a version that names a guardrail that has changed, or that too many policies use. */
export function refuseGuardrail({ kind, guardrailId }: GuardrailRefusal): Refusal {
  switch (kind) {
    case "guardrail_moved":
      return refuse(
        "version_moved",
        `Guardrail ${guardrailId} has changed or was removed since this version of the policy was read. ` +
          "Send the document of the policy again, with PUT.",
      );
    case "guardrail_crowded":
      return refuse(
        "limit_reached",
        `Guardrail ${guardrailId} is used by ${String(MAX_POLICIES_PER_GUARDRAIL)} policies, as many as ` +
          "can use one. Create another guardrail with the same definition.",
      );
  }
}
