import type { policyRoutes } from "@svc/api/policy-routes";
import type { AppendedVersion } from "@svc/control-plane/append-version";
import { isEnforced } from "@svc/control-plane/await-acknowledgements";
import type { CreationOutcome } from "@svc/control-plane/create-policy";
import type { ValidatedDocument } from "@svc/control-plane/read-document";
import type { Outcome, Refusal } from "@svc/control-plane/refusal";
import { countFindings, renderFindings } from "@svc/policy-analysis/render-findings";
import { prefers } from "../prefers.ts";
import type { ProblemReply, Reply, RequestContext, TextReply } from "./handler.ts";

/**
 * Answers of the policy routes. Warnings come first, so that people who read only the first lines see them.
 */

export function replyCreated(
  context: RequestContext,
  outcome: CreationOutcome,
): Reply<typeof policyRoutes.createPolicy> {
  if (outcome.kind !== "created") return replyNotLoaded(context, outcome);
  const { record, assignment, warnings, acknowledgements } = outcome;
  const headers = etag(record.version);
  const status = isEnforced(acknowledgements.gateways) ? 201 : 202;
  if (prefers(context.head, "text")) return plainText(status, loadedText(outcome), headers);
  const body = { warnings, kind: "changed" as const, ...record, assignment, ...acknowledgements };
  return { kind: "json", status, body, headers };
}

export function replyAppended(
  context: RequestContext,
  outcome: AppendedVersion | ValidatedDocument | Refusal,
): Reply<typeof policyRoutes.updatePolicy> {
  if (outcome.kind !== "appended") return replyNotLoaded(context, outcome);
  const { record, warnings, acknowledgements } = outcome;
  const headers = etag(record.version);
  const status = isEnforced(acknowledgements.gateways) ? 200 : 202;
  if (prefers(context.head, "text")) return plainText(status, loadedText(outcome), headers);
  const body = { warnings, kind: "changed" as const, ...record, ...acknowledgements };
  return { kind: "json", status, body, headers };
}

function replyNotLoaded(context: RequestContext, outcome: ValidatedDocument | Refusal) {
  if (outcome.kind === "problem") return replyRefused(context, outcome);
  const { policy, warnings } = outcome;
  if (prefers(context.head, "text")) {
    const valid = `The document of policy ${policy.id} is valid: ${countFindings(warnings)}.`;
    const end = `${valid} Dry run: nothing was stored.`;
    return plainText(200, renderFindings(warnings, end));
  }
  const body = { warnings, kind: "dry_run" as const, dry_run: true as const, ...policy };
  return { kind: "json" as const, status: 200 as const, body };
}

function replyRefused(context: RequestContext, { problem, findings }: Refusal): ProblemReply {
  if (!prefers(context.head, "text")) return { kind: "problem", problem };
  const text =
    findings === undefined
      ? `${problem.detail}\n`
      : renderFindings(findings, `Refused: ${countFindings(findings)}.`);
  return { kind: "problem", problem, text };
}

/** As JSON, or as the document's own text when the caller prefers YAML (JSON text is YAML, too). */
export function replyPolicy<Shown extends { readonly version: number }>(
  context: RequestContext,
  outcome: Outcome<{ readonly record: Shown; readonly source: string }>,
) {
  if (outcome.kind === "problem") return outcome;
  const { record, source } = outcome.value;
  const answer = { status: 200, headers: etag(record.version) } as const;
  return prefers(context.head, "yaml")
    ? ({ ...answer, kind: "text", mediaType: "application/yaml", text: source } as const)
    : ({ ...answer, kind: "json", body: record } as const);
}

function plainText<Status extends number>(
  status: Status,
  text: string,
  headers: { readonly etag?: string } = {},
): TextReply<Status> {
  return { kind: "text", status, mediaType: "text/plain; charset=utf-8", text, headers };
}

type Loaded = Pick<AppendedVersion, "record" | "warnings" | "acknowledgements">;

function loadedText({ record: { id, version }, warnings, acknowledgements: { note } }: Loaded): string {
  const loaded = `Policy ${id} is loaded as version ${String(version)}: ${countFindings(warnings)}.`;
  return renderFindings(warnings, note === undefined ? loaded : `${loaded}\n${note}`);
}

export function etag(version: number): { readonly etag: string } {
  return { etag: `"${String(version)}"` };
}
