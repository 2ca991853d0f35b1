import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import { parseJson } from "@svc/text/parse-json";
import type { Client } from "pg";
import {
  type ApprovalRow,
  heldApprovals,
  type LockedApprovals,
  NO_APPROVALS,
  type OpenedApproval,
  type OpenShare,
  type ReadyGrantRow,
  readyGrants,
  sharesOf,
  shareText,
  workflowText,
} from "../../claims/approval.ts";
import type { ApprovalClaim } from "../../ports/claims.ts";
import { NOT_REVOKED } from "./grants.ts";

/** First number of the locks on the limits of organizations. Arbitrary. */
const LIMIT_LOCK = 1_736_190_245;

/** Position of a placeholder: it holds a binding while a batch decides whether to open an approval for it. */
const PLACEHOLDER_SEQ = -1;

/**
 * Makes a placeholder for each binding without an open approval and locks what is there, in key order, so
 * that two batches cannot wait for each other.
 */
const LOCK_APPROVALS = {
  name: "svc-lock-approvals",
  text: `
    INSERT INTO approvals AS a (org, id, binding, namespace, agent_id, session_id, tool, policy_id,
        policy_version, rule_id, workflow_id, requested_by, log_id, seq, created_at_ms, expires_at_ms,
        status, version, noted, state)
    SELECT org, id, binding, '', '', NULL, '', '', 0, NULL, NULL, '', '', ${String(PLACEHOLDER_SEQ)}, 0, 0,
        'pending', 0, 1, ''
      FROM unnest($1::text[], $2::text[], $3::text[]) AS k (org, id, binding)
      ORDER BY org COLLATE "C", binding COLLATE "C"
    ON CONFLICT (org, binding) WHERE status IN ('pending', 'suspended') DO UPDATE SET status = a.status
    RETURNING org, id, binding, log_id, seq, expires_at_ms`,
};

/** Read after the lock, so that an approval that was resolved meanwhile shows its grant. */
const READY_GRANTS = {
  name: "svc-ready-grants",
  text: `
    SELECT g.org, g.approval_id, g.binding, g.approvers
      FROM grants AS g JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS k (org, binding, at_ms)
        ON g.org = k.org AND g.binding = k.binding
      WHERE g.used_seq IS NULL AND g.uses < g.max_uses AND g.expires_at_ms > k.at_ms AND ${NOT_REVOKED}
      ORDER BY g.expires_at_ms, g.approval_id`,
};

/**
 * Held until the commit, in the order of the numbers, so that batches of several processes open no more than
 * the limits together. Two organizations may share a number, and then wait for each other.
 */
const LOCK_LIMITS = {
  name: "svc-lock-approval-limits",
  text: `
    SELECT pg_advisory_xact_lock(${String(LIMIT_LOCK)}, k.number) FROM (
      SELECT DISTINCT hashtext(org) AS number FROM unnest($1::text[]) AS o (org) ORDER BY 1
    ) AS k`,
};

/** Open approvals of each share. Read after the lock, so that it sees what others have opened. */
const COUNT_OPEN = {
  name: "svc-count-open-approvals",
  text: `
    SELECT k.of, k.org, k.name, CASE k.of
        WHEN 'organization' THEN (${countOf("true")})
        WHEN 'agent' THEN (${countOf("a.agent_id = k.name")})
        ELSE (${countOf("a.requested_by = k.name")})
      END AS count
      FROM unnest($1::text[], $2::text[], $3::text[]) AS k (of, org, name)`,
};

function countOf(share: string): string {
  return `SELECT count(*)::int FROM approvals AS a
    WHERE a.org = k.org AND ${share} AND a.status IN ('pending', 'suspended') AND a.expires_at_ms > $4`;
}

const SELECT_WORKFLOWS = {
  name: "svc-select-workflows",
  text: `
    SELECT w.org, w.id, w.record
      FROM approval_workflows AS w JOIN unnest($1::text[], $2::text[]) AS k (org, id)
        ON w.org = k.org AND w.id = k.id`,
};

/** Ends expired approvals, which would block new ones. The expiry writes their audit rows. */
const EXPIRE_APPROVALS = {
  name: "svc-expire-approvals",
  text: `
    UPDATE approvals AS a SET status = 'expired', noted = 0
      FROM unnest($1::text[], $2::text[]) AS k (org, binding)
      WHERE a.org = k.org AND a.binding = k.binding
        AND a.status IN ('pending', 'suspended') AND a.seq <> ${String(PLACEHOLDER_SEQ)}`,
};

const REMOVE_PLACEHOLDERS = {
  name: "svc-remove-approval-placeholders",
  text: `
    DELETE FROM approvals AS a USING unnest($1::text[], $2::text[]) AS k (org, binding)
      WHERE a.org = k.org AND a.binding = k.binding
        AND a.status = 'pending' AND a.seq = ${String(PLACEHOLDER_SEQ)}`,
};

const INSERT_APPROVALS = {
  name: "svc-insert-approvals",
  text: `
    INSERT INTO approvals (org, id, binding, namespace, agent_id, session_id, tool, policy_id,
        policy_version, rule_id, workflow_id, requested_by, log_id, seq, created_at_ms, expires_at_ms,
        state, anywhere, status, version, noted)
    SELECT o.*, 'pending', 1, 1
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[],
        $15::bigint[], $16::bigint[], $17::text[], $18::text[]) AS o`,
};

/** What the claims are judged by; all of their bindings are locked. */
export async function lockApprovals(
  client: Client,
  claims: readonly ApprovalClaim[],
): Promise<LockedApprovals> {
  if (claims.length === 0) return NO_APPROVALS;
  const orgs = claims.map(({ org }) => org);
  const bindings = claims.map(({ binding }) => binding);
  const times = claims.map(({ atMs }) => atMs);
  const ids = claims.map(({ approvalId }) => approvalId);
  await client.query({ ...LOCK_LIMITS, values: [orgs] });
  const open = await client.query<ApprovalRow>({ ...LOCK_APPROVALS, values: [orgs, ids, bindings] });
  const ready = await client.query<ReadyGrantRow>({ ...READY_GRANTS, values: [orgs, bindings, times] });
  const shares = [...new Map(claims.flatMap(sharesOf).map((share) => [shareText(share), share])).values()];
  const counts = await client.query<OpenShare & { count: number }>({
    ...COUNT_OPEN,
    values: [
      shares.map(({ of }) => of),
      shares.map(({ org }) => org),
      shares.map(({ name }) => name),
      Math.max(...times),
    ],
  });
  return {
    open: heldApprovals(open.rows.filter(({ seq }) => seq !== PLACEHOLDER_SEQ)),
    ready: readyGrants(ready.rows),
    counts: new Map(counts.rows.map(({ count, ...share }) => [shareText(share), count])),
    workflows: await selectWorkflows(client, claims),
  };
}

async function selectWorkflows(
  client: Client,
  claims: readonly ApprovalClaim[],
): Promise<LockedApprovals["workflows"]> {
  const named = claims.filter(({ workflowId }) => workflowId !== null);
  if (named.length === 0) return new Map();
  const values = [named.map(({ org }) => org), named.map(({ workflowId }) => workflowId)];
  const { rows } = await client.query<{ org: string; id: string; record: string }>({
    ...SELECT_WORKFLOWS,
    values,
  });
  return new Map(
    rows.map(({ org, id, record }) => [workflowText(org, id), parseJson(record) as ApprovalWorkflow]),
  );
}

/** @param claims all that were locked: placeholders of those that were not opened are removed. */
export async function openApprovals(
  client: Client,
  claims: readonly ApprovalClaim[],
  opened: readonly OpenedApproval[],
): Promise<void> {
  if (claims.length === 0) return;
  await client.query({ ...REMOVE_PLACEHOLDERS, values: bindingsOf(claims) });
  if (opened.length === 0) return;
  const calls = opened.map(({ claim }) => claim);
  await client.query({ ...EXPIRE_APPROVALS, values: bindingsOf(calls) });
  const values = [
    calls.map(({ org }) => org),
    calls.map(({ approvalId }) => approvalId),
    calls.map(({ binding }) => binding),
    calls.map(({ namespace }) => namespace),
    calls.map(({ agentId }) => agentId),
    calls.map(({ sessionId }) => sessionId),
    calls.map(({ tool }) => tool),
    calls.map(({ policyId }) => policyId),
    calls.map(({ policyVersion }) => policyVersion),
    calls.map(({ ruleId }) => ruleId),
    calls.map(({ workflowId }) => workflowId),
    calls.map(({ requestedBy }) => requestedBy),
    opened.map(({ position }) => position.logId),
    opened.map(({ position }) => position.seq),
    calls.map(({ atMs }) => atMs),
    opened.map(({ expiresAtMs }) => expiresAtMs),
    opened.map(({ state }) => JSON.stringify(state)),
    calls.map(({ anywhere }) => anywhere),
  ];
  await client.query({ ...INSERT_APPROVALS, values });
}

function bindingsOf(claims: readonly ApprovalClaim[]): unknown[] {
  return [claims.map(({ org }) => org), claims.map(({ binding }) => binding)];
}
