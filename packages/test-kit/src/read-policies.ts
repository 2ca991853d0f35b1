import { compileAtOnce, type DecidingDocument } from "@svc/engine/compile-document";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import { decidingDocument } from "@svc/engine/document-parts";
import type { Guardrail } from "@svc/engine/guardrail";
import { readGuardrails } from "@svc/engine/read-guardrails";
import { sealDocument } from "@svc/engine/sealed-guardrails";
import { moduleOf } from "@svc/policy-analysis/check-module";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { formatDiagnostics } from "@svc/policy-analysis/format-diagnostic";
import { readExamined } from "@svc/policy-analysis/read-examined";
import { KitRefusal } from "./kit-refusal.ts";

/** A policy document, and what it is called in messages. */
export interface PolicySource {
  readonly file: string;
  readonly source: string;
  /** The text of a `guardrails.yaml` that it may name. */
  readonly guardrails?: string | undefined;
}

/** A policy that the service would accept. */
export interface ReadPolicy {
  readonly file: string;
  readonly source: string;
  readonly compiled: CompiledPolicy;
  /** The same, explaining what it decides; made when it is first asked for. */
  explaining(): ExplainingPolicy;
  /** What the service would warn of, as lines. */
  readonly warnings: string;
}

/** @throws KitRefusal that shows every fault, as the service does */
export function readPolicies(sources: readonly PolicySource[]): readonly ReadPolicy[] {
  if (sources.length === 0) throw new KitRefusal("expected a policy file or several, found none");
  const policies = sources.map(readOne);
  const byId = new Map<string, string>();
  for (const { file, compiled } of policies) {
    const before = byId.get(compiled.id);
    if (before !== undefined)
      throw new KitRefusal(`${file} and ${before} both have the id ${compiled.id}: give each its own`);
    byId.set(compiled.id, file);
  }
  const [first, second] = policies.filter(({ compiled: { agentId } }) => agentId === null);
  if (first !== undefined && second !== undefined)
    throw new KitRefusal(
      `${first.file} and ${second.file} name no agent_id, so each would govern every agent: ` +
        "add agent_id to one of them",
    );
  return policies;
}

/** Without its module a policy allows more than the service does. */
const NO_MODULES =
  "rego_unavailable: the policy has a Rego module, and this kit does not run Open Policy Agent. " +
  "Write the calls into a file of cases, and run svc-cli test, which runs the module.";

/** @throws KitRefusal as `readPolicies` does */
function guardrailsOf(text: string | undefined): readonly Guardrail[] {
  if (text === undefined) return [];
  const reading = readGuardrails(text, "guardrails.yaml");
  if (reading.ok) return reading.value.guardrails;
  const found = formatDiagnostics(reading.diagnostics);
  throw new KitRefusal(`the service would refuse these guardrails:\n${found}`);
}

function readOne({ file, source, guardrails }: PolicySource): ReadPolicy {
  const reading = readExamined(source, { file, modules: "read", guardrails: guardrailsOf(guardrails) });
  if (moduleOf(reading) !== null) throw new KitRefusal(`${file}: ${NO_MODULES}`);
  if (!reading.ok)
    throw new KitRefusal(`the service would refuse this policy:\n${formatDiagnostics(reading.diagnostics)}`);
  const document = decidingDocument(reading.document);
  // The rules of a document may be taken once, and here they are taken twice.
  const kept: DecidingDocument = { ...document, rules: [...document.rules] };
  let explaining: ExplainingPolicy | null = null;
  const { namedGuardrails } = reading.document;
  return {
    file,
    // What compiles it again knows no guardrails.
    source: namedGuardrails.length === 0 ? source : sealDocument(reading.value, namedGuardrails),
    compiled: compileAtOnce(kept),
    explaining: () => (explaining ??= compileExplaining(kept)),
    warnings: reading.warnings.length === 0 ? "" : formatDiagnostics(reading.warnings),
  };
}
