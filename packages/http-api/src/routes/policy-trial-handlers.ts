import type { policyTrialRoutes } from "@svc/api/policy-trial-routes";
import { type ComparedVersions, diffPolicy } from "@svc/control-plane/diff-policy";
import { simulatePolicy } from "@svc/control-plane/simulate-policy";
import { validateDocument } from "@svc/control-plane/validate-document";
import { countFindings, renderFindings } from "@svc/policy-analysis/render-findings";
import { prefers } from "../prefers.ts";
import { documentText } from "./document-text.ts";
import type { Handlers, TextReply } from "./handler.ts";
import { found, written } from "./reply-found.ts";

export const policyTrialHandlers: Handlers<typeof policyTrialRoutes> = {
  diffPolicy: async ({ params: { policy_id: id }, query }, { ports, principal, head }) => {
    const versions = { id, from: query.from ?? null, to: query.to ?? null };
    const outcome = await diffPolicy(ports, principal, versions);
    if (outcome.kind === "problem") return outcome;
    return prefers(head, "text")
      ? plainText(diffLines(outcome.value))
      : written({ kind: "ok", value: diffText(id, outcome.value) });
  },
  validatePolicy: async ({ body }, { ports, principal, head }) => {
    const text = documentText(body);
    if (text.kind === "problem") return text;
    const outcome = await validateDocument(ports, principal, text.value);
    if (outcome.kind === "problem") return outcome;
    if (!prefers(head, "text")) return found(outcome);
    const { valid, diagnostics } = outcome.value;
    const last = `${valid ? "Valid" : "Invalid"}: ${countFindings(diagnostics)}.`;
    return plainText(renderFindings(diagnostics, last));
  },
  simulatePolicy: async ({ body }, { ports, principal }) =>
    written(await simulatePolicy(ports, principal, body.bytes)),
};

function diffText(id: string, { from, to, identical, reply }: ComparedVersions): string {
  const text_only = !identical && reply.count === 0;
  const head = JSON.stringify({ policy_id: id, from, to, identical, text_only });
  return `${head.slice(0, -1)},"changes":${reply.changes}}`;
}

function diffLines({ from, to, identical, reply: { count, lines } }: ComparedVersions): string {
  const versions = `versions ${String(from)} and ${String(to)}`;
  if (identical) return `The texts of ${versions} are the same.\n`;
  if (count === 0) return `The texts of ${versions} differ and mean the same.\n`;
  return `${lines}\n${String(count)} ${count === 1 ? "change" : "changes"} between ${versions}.\n`;
}

function plainText(text: string): TextReply<200> {
  return { kind: "text", status: 200, mediaType: "text/plain; charset=utf-8", text };
}
