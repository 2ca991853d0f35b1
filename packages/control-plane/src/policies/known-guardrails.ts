import type { GuardrailRecord } from "@svc/contract/guardrail";
import { DETECTOR_NAMES } from "@svc/engine/detector";
import { type Guardrail, mayNameGuardrail } from "@svc/engine/guardrail";
import { guardrailsOfSealed } from "@svc/engine/sealed-guardrails";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import type { StoredVersion } from "@svc/store/ports/policy-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

export type GuardrailPorts = Pick<ControlPlanePorts, "guardrails" | "log">;

/** A document with the guardrails of its organization, which it may name. */
export async function withGuardrails(
  ports: GuardrailPorts,
  org: string,
  { source, mediaType }: DocumentText,
): Promise<Outcome<DocumentText>> {
  if (!mayNameGuardrail(source)) return { kind: "ok", value: { source, mediaType } };
  const found = await knownGuardrails(ports, org);
  return found.kind === "problem"
    ? found
    : { kind: "ok", value: { source, mediaType, guardrails: found.value } };
}

/** Every guardrail of an organization in its latest version. */
export async function knownGuardrails(
  { guardrails, log }: GuardrailPorts,
  org: string,
): Promise<Outcome<readonly Guardrail[]>> {
  const found = await callStore({ log }, NOT_READ, () => guardrails.everyGuardrail(org));
  return found.kind === "problem" ? found : { kind: "ok", value: found.value.map(decidingRecord) };
}

/** What of a record decides calls. */
export function decidingRecord({ id, version, detectors, patterns, allow }: GuardrailRecord): Guardrail {
  return {
    id,
    version,
    // A name that is not known any longer makes the guardrail look for less: policies are refused then.
    detectors: detectors.map((name) => knownDetector(id, name)),
    patterns: patterns.map(({ name, matches }) => ({ name, matches })),
    allow,
  };
}

function knownDetector(id: string, name: string) {
  const known = DETECTOR_NAMES.find((one) => one === name);
  if (known === undefined) throw new Error(`guardrail ${id}: this build has no detector ${name}`);
  return known;
}

/** A stored version as it was written: with the guardrails in the versions that are part of it. */
export function writtenText({ source, mediaType, sealed }: StoredVersion): DocumentText {
  return sealed === undefined
    ? { source, mediaType }
    : { source, mediaType, guardrails: guardrailsOfSealed(sealed) };
}
