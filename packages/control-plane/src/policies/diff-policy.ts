import type { Principal } from "@svc/contract/principal";
import type { DiffReply } from "@svc/policy-analysis/simulation-exchange";
import type { StoredVersion } from "@svc/store/ports/policy-store";
import { askThread } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { getPolicy } from "./get-policy.ts";
import { getPolicyVersion } from "./get-policy-version.ts";

export interface PolicyVersions {
  readonly id: string;
  /** Null: the version before `to`. */
  readonly from: number | null;
  /** Null: the latest version. */
  readonly to: number | null;
}

export interface ComparedVersions {
  readonly from: number;
  readonly to: number;
  /** Whether both versions have the same text, byte for byte. */
  readonly identical: boolean;
  readonly reply: DiffReply;
}

/** Compares any two versions of a policy by what they mean. */
export async function diffPolicy(
  ports: Pick<ControlPlanePorts, "log" | "policies" | "simulations">,
  principal: Principal,
  { id, from, to }: PolicyVersions,
): Promise<Outcome<ComparedVersions>> {
  const later =
    to === null
      ? await getPolicy(ports, principal, id)
      : await getPolicyVersion(ports, principal, { id, version: to });
  if (later.kind === "problem") return later;
  const { version: last } = later.value.record;
  const first = from ?? last - 1;
  if (first < 1)
    return refuse("invalid_request", `Version ${String(last)} has no version before it: name from.`);
  const earlier = await getPolicyVersion(ports, principal, { id, version: first });
  if (earlier.kind === "problem") return earlier;
  const reply = await askThread(ports, NOT_COMPARED, () =>
    ports.simulations.diff(comparedText(earlier.value), comparedText(later.value)),
  );
  if (reply.kind === "problem") return reply;
  const identical =
    earlier.value.source === later.value.source && earlier.value.sealed === later.value.sealed;
  return { kind: "ok", value: { from: first, to: last, identical, reply: reply.value } };
}

/** With its guardrails: a change of one of them is a change of the policy. */
function comparedText({ record, sealed }: StoredVersion): string {
  return sealed ?? JSON.stringify(record.document);
}

const NOT_COMPARED = {
  fault: "two versions of a policy could not be compared",
  consequence: "The versions could not be compared. Try again.",
};
