import type { ApprovalRecord, ApproveRequest, RefuseApproval } from "@svc/contract/approval";
import type { AuditRowAnswer } from "@svc/contract/audit-answer";
import { ANY_AUDIT_ROW } from "@svc/contract/audit-query";
import { keyIdOf, type Principal } from "@svc/contract/principal";
import { approveCall } from "@svc/control-plane/approve-call";
import { callStore, NOT_READ } from "@svc/control-plane/call-store";
import { denyApproval } from "@svc/control-plane/deny-approval";
import { endLoginsOf } from "@svc/control-plane/end-logins-of";
import { getApproval } from "@svc/control-plane/get-approval";
import { getHeldCall } from "@svc/control-plane/get-held-call";
import { listApprovals } from "@svc/control-plane/list-approvals";
import { listAuditRows } from "@svc/control-plane/list-audit-rows";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Outcome } from "@svc/control-plane/refusal";
import { revokeKey } from "@svc/control-plane/revoke-key";
import type { SessionDecision } from "./approval-page.ts";
import { describeRule } from "./describe-rule.ts";

type Found = Outcome<ApprovalRecord>;

/** What the pages of approvals ask for: the operations of the API, with their refusals. */
export interface ApprovalOperations {
  readonly read: (principal: Principal, id: string) => Promise<Found>;
  /** Those that wait, the newest first. */
  readonly pending: (principal: Principal) => ReturnType<typeof listApprovals>;
  readonly readHeld: (principal: Principal, id: string) => ReturnType<typeof getHeldCall>;
  readonly approve: (
    principal: Principal,
    request: ApproveRequest & { readonly id: string },
  ) => Promise<Found>;
  readonly deny: (principal: Principal, request: RefuseApproval & { readonly id: string }) => Promise<Found>;
  /** Ends the login of a person. A key of somebody who signed in with it goes on. */
  readonly endLogin: (principal: Principal) => Promise<void>;
  /** Ends every login of a person, those of svc-cli included. */
  readonly endLogins: (principal: Principal) => Promise<Outcome<unknown>>;
  /** When the rule applies, in words; null when it cannot be read. */
  readonly rule: (principal: Principal, record: ApprovalRecord) => Promise<readonly string[] | null>;
  /** Other decisions of the session, newest first; null when they cannot be read. */
  readonly session: (
    principal: Principal,
    record: ApprovalRecord,
  ) => Promise<readonly SessionDecision[] | null>;
}

type AuditQueryPorts = Parameters<typeof listAuditRows>[0];

/** Decisions of a session that a page shows, as count. */
const SHOWN_DECISIONS = 10;

/** Approvals of the list, as count. */
const SHOWN_PENDING = 50;

const ANY_APPROVAL = { agentId: null, sessionId: null, tool: null, workflowId: null } as const;

export function approvalOperations(ports: ControlPlanePorts, audit: AuditQueryPorts): ApprovalOperations {
  return {
    read: (principal, id) =>
      getApproval(ports, principal, { id, waitMs: 0, signal: new AbortController().signal }),
    pending: (principal) =>
      listApprovals(ports, principal, {
        ...ANY_APPROVAL,
        status: "pending",
        page: { limit: SHOWN_PENDING, after: null },
      }),
    readHeld: (principal, id) => getHeldCall(ports, principal, id),
    approve: (principal, request) => approveCall(ports, principal, request),
    deny: (principal, request) => denyApproval(ports, principal, request),
    endLogin: async (principal) => {
      // The session in the browser has ended already. The log says when the key of the login did not.
      if (principal.person !== undefined) await revokeKey(ports, principal, keyIdOf(principal));
    },
    endLogins: (principal) => endLoginsOf(ports, principal, principal.id),
    rule: async ({ org }, { policy_id: id, policy_version: version, rule_id: ruleId }) => {
      if (ruleId === null) return null;
      const found = await callStore(ports, NOT_READ, () => ports.policies.policyVersion(org, id, version));
      if (found.kind === "problem" || found.value === null) return null;
      return describeRule(found.value.record.document, ruleId);
    },
    session: async (principal, { agent_id, session_id, decision_id }) => {
      if (session_id === null) return [];
      const kinds = ["decision"] as const;
      const filter = { ...ANY_AUDIT_ROW, agents: [agent_id], sessions: [session_id], kinds };
      const page = { limit: SHOWN_DECISIONS + 1, after: null };
      const listed = await listAuditRows(audit, principal, { filter, page });
      if (listed.kind === "problem") return null;
      const others = listed.value.rows.filter(({ id }) => id !== decision_id);
      return others.slice(0, SHOWN_DECISIONS).map(decisionOf);
    },
  };
}

function decisionOf({ id, time, row }: AuditRowAnswer): SessionDecision {
  const { tool, decision } = row;
  return { id, time, tool: textOf(tool), decision: textOf(decision) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
