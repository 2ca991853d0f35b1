import type { PolicyRecord } from "@svc/contract/policy-record";
import type { AppendedVersion } from "@svc/control-plane/append-version";
import type { CreationOutcome } from "@svc/control-plane/create-policy";
import type { ValidatedDocument } from "@svc/control-plane/read-document";
import type { Refusal } from "@svc/control-plane/refusal";
import { countFindings, renderFindings } from "@svc/control-plane/render-findings";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import type { ApiContext } from "../api-context.ts";
import { json, plainText, problemAnswer } from "./answers.ts";

/**
 * Answers of the policy routes. Warnings come first, so that people who read only the first lines see them.
 */

export function answerCreated(context: ApiContext, outcome: CreationOutcome): Response {
  if (outcome.kind !== "created") return notLoaded(context, outcome);
  const { record, assignment, warnings, acknowledgements } = outcome;
  const headers = etag(record.version);
  if (wantsText(context)) return plainText(context, 201, loadedText(record, warnings), headers);
  return json(context, 201, { warnings, ...record, assignment, ...acknowledgements }, headers);
}

export function answerAppended(
  context: ApiContext,
  outcome: AppendedVersion | ValidatedDocument | Refusal,
): Response {
  if (outcome.kind !== "appended") return notLoaded(context, outcome);
  const { record, warnings, acknowledgements } = outcome;
  const headers = etag(record.version);
  if (wantsText(context)) return plainText(context, 200, loadedText(record, warnings), headers);
  return json(context, 200, { warnings, ...record, ...acknowledgements }, headers);
}

function notLoaded(context: ApiContext, outcome: ValidatedDocument | Refusal): Response {
  if (outcome.kind === "problem") {
    const { problem, findings } = outcome;
    if (!wantsText(context)) return problemAnswer(context, problem);
    const { status, detail } = problem;
    if (findings === undefined) return plainText(context, status, `${detail}\n`);
    return plainText(context, status, renderFindings(findings, `Refused: ${countFindings(findings)}.`));
  }
  const { policy, warnings } = outcome;
  if (wantsText(context)) {
    const valid = `The document of policy ${policy.id} is valid: ${countFindings(warnings)}.`;
    const end = `${valid} Dry run: nothing was stored.`;
    return plainText(context, 200, renderFindings(warnings, end));
  }
  return json(context, 200, { warnings, dry_run: true, ...policy });
}

type Found = { readonly kind: "found"; readonly policy: StoredPolicy } | Refusal;

/** As JSON, or as the document's own text when the caller asks for YAML (JSON text is YAML, too). */
export function answerPolicy(context: ApiContext, found: Found): Response {
  if (found.kind === "problem") return problemAnswer(context, found.problem);
  const { record, source } = found.policy;
  if (!YAML.test(context.req.header("accept") ?? "")) return json(context, 200, record, etag(record.version));
  return new Response(source, { headers: { "content-type": "application/yaml", ...etag(record.version) } });
}

const YAML = /^(?:application|text)\/(?:x-)?yaml$/;

/** Whether the caller prefers plain text. */
function wantsText(context: ApiContext): boolean {
  return /^ *text\/plain(?:[ ;,]|$)/i.test(context.req.header("accept") ?? "");
}

function loadedText({ id, version }: PolicyRecord, warnings: ValidatedDocument["warnings"]): string {
  return renderFindings(
    warnings,
    `Policy ${id} is loaded as version ${String(version)}: ${countFindings(warnings)}.`,
  );
}

function etag(version: number): Record<string, string> {
  return { etag: `"${String(version)}"` };
}
