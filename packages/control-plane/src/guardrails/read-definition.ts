import type { GuardrailDefinition } from "@svc/contract/guardrail";
import { MAX_GUARDRAIL_BYTES } from "@svc/contract/guardrail-limits";
import { NOTHING_CHANGED } from "@svc/contract/problem";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { utf8Length } from "@svc/text/utf8";
import { askThread } from "../call-store.ts";
import { findingEntry } from "../policies/read-document.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";

const NOT_READ = {
  fault: "a guardrail could not be checked",
  consequence: `The guardrail could not be checked. ${NOTHING_CHANGED}. Try again.`,
};

/** Checks a definition and tries its samples. Answers the warnings about one that can be stored. */
export async function examineDefinition(
  { guardrailChecks, log }: Pick<ControlPlanePorts, "guardrailChecks" | "log">,
  { description, detectors, patterns, allow }: GuardrailDefinition,
): Promise<Outcome<readonly Diagnostic[]>> {
  // What is empty was not written, and the reader has a finding for each empty list.
  const written = {
    ...(description === null ? {} : { description }),
    ...(detectors.length === 0 ? {} : { detectors }),
    ...(patterns.length === 0 ? {} : { patterns: patterns.map(writtenPattern) }),
    ...(allow.length === 0 ? {} : { allow }),
  };
  const source = JSON.stringify(written);
  const bytes = utf8Length(source);
  if (bytes > MAX_GUARDRAIL_BYTES)
    return refuse(
      "invalid_request",
      `The guardrail has ${String(bytes)} bytes, and at most ${String(MAX_GUARDRAIL_BYTES)} are possible. ` +
        "Make two guardrails of it: a policy can name both.",
    );
  const asked = await askThread({ log }, NOT_READ, () => guardrailChecks.readGuardrail(source));
  if (asked.kind === "problem") return asked;
  if (asked.value.ok) return { kind: "ok", value: asked.value.warnings.map(maskFinding) };
  const findings = asked.value.diagnostics.map(maskFinding);
  const detail = "The guardrail was refused; errors lists every finding.";
  return { ...refuse("invalid_request", detail, findings.map(findingEntry)), findings };
}

function writtenPattern(pattern: GuardrailDefinition["patterns"][number]) {
  const { name, matches, must_match, must_not_match } = pattern;
  return {
    name,
    matches,
    ...(must_match.length === 0 ? {} : { must_match }),
    ...(must_not_match.length === 0 ? {} : { must_not_match }),
  };
}
