import { ANY_AUDIT_ROW } from "@svc/contract/audit-query";
import type { DecisionRow } from "@svc/contract/audit-row";
import { MAX_PROPOSAL_ROWS } from "@svc/contract/limits";
import type { ProposalRequest } from "@svc/contract/policy-proposal";
import type { Principal } from "@svc/contract/principal";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import { parseJson } from "@svc/text/parse-json";
import type { AuditQueryPorts } from "../audit/audit-query-ports.ts";
import { askThread, callStore, NOT_READ } from "../call-store.ts";
import { writtenText } from "../policies/known-guardrails.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { rangesOf, workOnRows } from "./recorded-rows.ts";

/** Milliseconds that a caller waits for a proposal. */
const PROPOSAL_BUDGET_MS = 60_000;

type ProposalPorts = Pick<
  ControlPlanePorts,
  "log" | "clock" | "newId" | "policies" | "assignments" | "recordedCalls" | "rowThread" | "digestKey"
> & { readonly auditIndex: Pick<AuditQueryPorts["auditIndex"], "search"> };

/** Proposes the smallest policy that allows what ran. `text`: the answer as JSON. */
export async function proposePolicy(
  ports: ProposalPorts,
  principal: Principal,
  request: ProposalRequest,
): Promise<Outcome<string>> {
  const now = ports.clock.now().toISOString();
  const until = request.until === null || request.until > now ? now : request.until;
  const { since, agentId, namespace } = request;
  if (since >= until)
    return refuse("invalid_request", `since: expected a time before ${until}, found ${since}.`);
  const found = await callStore(ports, NOT_READ, async () => ({
    ...(await rangesOf(ports.recordedCalls, { since, until: request.until === null ? null : until })),
    present: await presentPolicy(ports, principal, request),
  }));
  if (found.kind === "problem") return found;
  const { logs, rows, present } = found.value;
  if (rows > MAX_PROPOSAL_ROWS)
    return refuse(
      "too_much_work",
      `The range has ${rows.toLocaleString("en-US")} rows: a proposal reads at most ` +
        `${MAX_PROPOSAL_ROWS.toLocaleString("en-US")}. Choose a later since or an earlier until.`,
    );
  // Values of arguments stand in the audit log: keys that may not read it do not see them here either.
  const showsArguments = principal.scopes.has("audit:read");
  const work = { kind: "propose", agentId, namespace, present, showsArguments } as const;
  const { org } = principal;
  return propose(ports, {
    id: ports.newId("rpl"),
    work,
    org,
    since,
    until,
    logs,
    digestKey: ports.digestKey,
  });
}

/**
 * What governs the agent or the namespace; null when nothing does. An agent without an assignment of its own
 * is governed by that of the namespace in which it was decided about last.
 */
async function presentPolicy(
  ports: ProposalPorts,
  { org }: Principal,
  request: ProposalRequest,
): Promise<DocumentText | null> {
  const { agentId } = request;
  const own = await assignedPolicy(ports, org, { agentId, namespaceId: request.namespace });
  if (own !== null || agentId === null) return own;
  const namespaceId = await lastNamespaceOf(ports, org, { ...request, agentId });
  return namespaceId === null ? null : assignedPolicy(ports, org, { agentId: null, namespaceId });
}

async function assignedPolicy(
  { assignments, policies }: ProposalPorts,
  org: string,
  target: { readonly agentId: string | null; readonly namespaceId: string | null },
): Promise<DocumentText | null> {
  const filter = { policyId: null, ...target };
  const page = await assignments.assignments(org, filter, { limit: 1, after: null });
  const [assigned] = page === "bad_cursor" ? [] : page.items;
  if (assigned === undefined) return null;
  const stored = await policies.latestPolicy(org, assigned.policy_id);
  return stored === null ? null : writtenText(stored);
}

/** The namespace of the newest decision about an agent in the range; null when there is none. */
async function lastNamespaceOf(
  { auditIndex }: ProposalPorts,
  org: string,
  { agentId, since, until }: ProposalRequest & { readonly agentId: string },
): Promise<string | null> {
  const range = { sinceMs: Date.parse(since), untilMs: until === null ? null : Date.parse(until) };
  const filter = { ...ANY_AUDIT_ROW, ...range, agents: [agentId], kinds: ["decision"] } as const;
  const { rows } = await auditIndex.search({ org, filter, limit: 1, before: null });
  const [newest] = rows;
  return newest === undefined ? null : (parseJson(newest.text) as DecisionRow).namespace;
}

const NOT_PROPOSED = {
  fault: "a policy could not be proposed",
  consequence: "The policy could not be proposed. Choose a shorter range, or try again later.",
};

async function propose(
  { log, clock, rowThread, recordedCalls }: ProposalPorts,
  order: Parameters<typeof workOnRows>[1],
): Promise<Outcome<string>> {
  const endsAtMs = clock.nowMs() + PROPOSAL_BUDGET_MS;
  const goesOn = async (): Promise<boolean> => clock.nowMs() < endsAtMs;
  const worked = await askThread({ log }, NOT_PROPOSED, () =>
    workOnRows({ thread: rowThread, recordedCalls, goesOn }, order),
  );
  if (worked.kind === "problem") return worked;
  const end = worked.value;
  if (end.kind === "done") return { kind: "ok", value: end.text };
  return refuse(
    "too_much_work",
    end.kind === "refused" ? `The policy is not proposed: ${end.reason}.` : NOT_PROPOSED.consequence,
  );
}
