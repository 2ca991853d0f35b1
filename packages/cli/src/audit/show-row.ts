import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { explanationRoutes } from "@svc/api/explanation-routes";
import { rowHash } from "@svc/audit-log/row-hash";
import type { AuditRowProof } from "@svc/contract/audit-answer";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonValue } from "@svc/text/json-value";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { renderRecorded } from "../explain/explain-recorded.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";

/** Shows one row with what proves it, and explains it when it is a decision. @throws CommandFailure */
export async function showRow(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const { body: proof } = await client.ask(auditQueryRoutes.getAuditRow, { params: { row_id: id } });
  const explained = proof.kind === "decision" ? await explanationOf(client, id) : null;
  const isHashRight = hashFits(proof);
  output.result({
    text: [...proofText(proof, isHashRight), ...explainedText(explained, connection.url)],
    schema: "svc.cli.audit-show/v1",
    json: {
      ...proof,
      hash_fits: isHashRight,
      explanation: typeof explained === "string" ? null : explained,
      ...(typeof explained === "string" ? { explanation_missing: explained } : {}),
    },
  });
  return isHashRight ? "ok" : "failed";
}

/** The explanation, or why there is none: the row itself is worth showing. */
async function explanationOf(client: ControlClient, id: string): Promise<DecisionExplanation | string> {
  try {
    const params = { decision_id: id };
    return (await client.ask(explanationRoutes.explainDecision, { params })).body;
  } catch (fault) {
    if (fault instanceof CommandFailure) return fault.message;
    throw fault;
  }
}

/** The bytes of a row are its canonical JSON. */
function hashFits({ row, hash, prev_hash }: AuditRowProof): boolean {
  const bytes = Buffer.from(canonicalJson(row as JsonValue));
  const previous = Buffer.from(prev_hash, "hex");
  return Buffer.from(rowHash(previous, bytes)).toString("hex") === hash;
}

function proofText(proof: AuditRowProof, isHashRight: boolean): Piece[] {
  const { id, time, kind, outcome, hash, checkpoint, row } = proof;
  const ended = outcome === null ? "not reported" : endOf(outcome);
  const mayEnd = outcome !== null || row["decision"] === "allow";
  const members: Member[] = [
    ["row", id],
    ["time", time],
    ["kind", kind],
    ...(mayEnd ? [["outcome", ended] as const] : []),
    isHashRight
      ? ["hash", `${hash} (computed again: it fits)`, "good"]
      : ["hash", `${hash} DOES NOT FIT the row: run svc-cli compliance audit-verify`, "bad"],
    checkpoint === null
      ? ["signed", "not yet: no checkpoint covers the row", "warning"]
      : ["signed", `by the checkpoint of the first ${String(checkpoint.size)} rows (not verified here)`],
    ["content", JSON.stringify(row, null, 2)],
  ];
  return renderMembers(members);
}

function endOf({ id, status, withdrawn }: NonNullable<AuditRowProof["outcome"]>): string {
  const how = withdrawn ? "WITHDRAWN: the caller was denied, whatever the row says" : status;
  return `${how} (row ${id})`;
}

function explainedText(explained: DecisionExplanation | string | null, server: URL): Piece[] {
  if (explained === null) return [];
  if (typeof explained === "string")
    return ["\n", { text: "not explained", as: "warning" }, `: ${explained}\n`];
  return ["\n", ...renderRecorded(explained, server)];
}
