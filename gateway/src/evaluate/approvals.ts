import {
  DEFAULT_APPROVAL_SECONDS,
  MAX_OPEN_APPROVALS_PER_AGENT,
  MAX_OPEN_APPROVALS_PER_KEY,
  MAX_OPEN_APPROVALS_PER_ORG,
} from "@svc/contract/limits";
import { ONE_CALL } from "@svc/engine/approval-terms";
import type { ApprovalTerms, Evaluation } from "@svc/engine/evaluation";
import { randomToken } from "@svc/process/random-token";
import type { StoredGrant } from "@svc/store/ports/approval-store";
import type { ApprovalClaim, OpenLimits } from "@svc/store/ports/claims";
import type { KeyedDigest } from "@svc/text/keyed-digest";
import type { RecordedCall } from "../append/decision-row.ts";
import { denyRuling, type Ruling } from "./ruling.ts";

/** Bytes of randomness in an approval id, so that nobody can guess one. */
const APPROVAL_ID_BYTES = 20;

export function newApprovalId(): string {
  return `apr_${randomToken(APPROVAL_ID_BYTES)}`;
}

/** Most approvals that may be open at a time. */
const MAX_OPEN: OpenLimits = {
  organization: MAX_OPEN_APPROVALS_PER_ORG,
  agent: MAX_OPEN_APPROVALS_PER_AGENT,
  key: MAX_OPEN_APPROVALS_PER_KEY,
};

/** The version of a policy that governs a call. */
export interface GoverningVersion {
  readonly id: string;
  readonly version: number;
}

/** What paused a call, and what its approval holds for. */
export interface AskedFor {
  readonly ruleId: string | null;
  readonly terms: ApprovalTerms;
}

/**
 * Names a call together with what asks for its approval. A grant covers nothing else: not the same call in
 * another namespace or under another version of the policy, and not a pause by another rule. Where the terms
 * say so, it names all calls of the tool, in the session or of the agent, with the same values.
 */
export function bindingOf(
  digest: KeyedDigest,
  call: RecordedCall,
  { id, version }: GoverningVersion,
  { ruleId, terms }: AskedFor,
): string {
  const { callDigest, argsDigest, names } = call.row;
  const { org, agentId, sessionId, tool } = call.facts;
  const asked = [names.namespace, id, version, ruleId];
  const isOneCall = terms.scope === "session" && terms.values === null;
  if (isOneCall) return digest.of(JSON.stringify(["approval", callDigest, ...asked]));
  const where = terms.scope === "session" ? ["session", sessionId] : ["agent"];
  const which = terms.values === null ? ["arguments", argsDigest] : ["values", terms.values];
  return digest.of(JSON.stringify(["approval_terms", org, agentId, where, tool, which, ...asked]));
}

/** Names what an approval is for without its session. */
export function anywhereOf(
  digest: KeyedDigest,
  call: RecordedCall,
  policy: GoverningVersion,
  { ruleId, terms }: AskedFor,
): string {
  return bindingOf(digest, call, policy, { ruleId, terms: { ...terms, scope: "agent" } });
}

/** What the row of a pause claims. Its names are those of the row, where secrets are masked. */
export function approvalClaim(
  digest: KeyedDigest,
  { pauseId: approvalId, policy, ruleId, approval }: Ruling,
  call: RecordedCall,
  atMs: number,
): ApprovalClaim | null {
  if (approval?.kind !== "opens") return null;
  if (approvalId === null || policy === null) throw new Error("a pause without an approval or a policy");
  const { org, principal } = call.facts;
  const { workflow, terms } = approval;
  const { scope, covers } = terms;
  return {
    org,
    approvalId,
    binding: bindingOf(digest, call, policy, { ruleId, terms }),
    holdsFor: { scope, covers },
    anywhere: anywhereOf(digest, call, policy, { ruleId, terms }),
    ...call.row.names,
    policyId: policy.id,
    policyVersion: policy.version,
    ruleId,
    workflowId: workflow,
    requestedBy: principal,
    atMs,
    expiresAtMs: atMs + DEFAULT_APPROVAL_SECONDS * 1_000,
    maxOpen: MAX_OPEN,
  };
}

/** A call whose approval gave a grant. */
export interface FoundGrant {
  readonly grant: StoredGrant;
  readonly call: RecordedCall;
}

export interface CoverParts {
  readonly digest: KeyedDigest;
  readonly found: FoundGrant;
  readonly policy: GoverningVersion;
}

/**
 * The evaluation of a call that has a grant. The grant turns the pause by its own rule into an allow. It
 * covers no deny; and an edited call that pauses by another rule is denied, because one approval answers one
 * rule.
 * @param evaluation of the call with the arguments that the approver set
 * @returns null when the call needs no grant, or another one
 */
export function coveredEvaluation(
  evaluation: Evaluation,
  { digest, found: { grant, call }, policy }: CoverParts,
): Evaluation | null {
  const { decision, ruleId, onApproval, ...rest } = evaluation;
  switch (decision) {
    case "deny":
      return evaluation;
    case "allow":
      return grant.edit === null ? null : evaluation;
    case "pause": {
      const terms = onApproval?.terms ?? ONE_CALL;
      const isCovered = bindingOf(digest, call, policy, { ruleId, terms }) === grant.binding;
      if (!isCovered && grant.edit === null) return null;
      if (!isCovered) return notCovered(evaluation);
      const shapedArgs = onApproval?.shapedArgs ?? null;
      return { ...rest, decision: "allow", reason: null, reasonCode: null, ruleId, shapedArgs };
    }
  }
}

function notCovered({ costMicroUsd, ruleId, rego }: Evaluation): Evaluation {
  const reason = `the approved arguments need an approval by ${ruleId ?? "another evaluator"}, too`;
  const reasonCode = "approval_not_covering";
  const said = rego === undefined ? {} : { rego };
  return { decision: "deny", reason, reasonCode, ruleId, shapedArgs: null, costMicroUsd, ...said };
}

const OF: Readonly<Record<keyof OpenLimits, string>> = {
  organization: "the organization",
  agent: "the agent",
  key: "the API key",
};

/** The ruling of a call that would be paused, when no approval can be opened for it. */
export function noApprovalRuling(
  ruled: Ruling,
  refused:
    | { readonly kind: "approvals_full"; readonly of: keyof OpenLimits }
    | { readonly kind: "workflow_missing" },
): Ruling {
  const { policy, ruleId, costMicroUsd, observed, approval, rego } = ruled;
  const known = { policy, ruleId, costMicroUsd, observed, rego };
  switch (refused.kind) {
    case "approvals_full": {
      const limit = String(MAX_OPEN[refused.of]);
      const reason = `the call needs an approval, and ${limit} approvals of ${OF[refused.of]} are open`;
      return denyRuling("approval_limit", reason, known);
    }
    case "workflow_missing": {
      const workflow = approval?.kind === "opens" ? approval.workflow : null;
      const reason = `the call needs an approval by the workflow ${String(workflow)}, which does not exist`;
      return denyRuling("approval_workflow_unknown", reason, known);
    }
  }
}
