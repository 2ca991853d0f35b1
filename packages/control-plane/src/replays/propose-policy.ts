import { faultFields } from "@svc/contract/fault-fields";
import { MAX_PROPOSAL_ROWS } from "@svc/contract/limits";
import type { ProposalRequest } from "@svc/contract/policy-proposal";
import type { Principal } from "@svc/contract/principal";
import type { DocumentText } from "@svc/engine/check-document";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { rangesOf, workOnRows } from "./recorded-rows.ts";

/** Milliseconds that a caller waits for a proposal. */
const PROPOSAL_BUDGET_MS = 60_000;

type ProposalPorts = Pick<
  ControlPlanePorts,
  "log" | "clock" | "newId" | "policies" | "assignments" | "recordedCalls" | "rowThread" | "digestKey"
>;

/** Proposes the smallest policy that allows what ran. `text`: the answer as JSON. */
export async function proposePolicy(
  ports: ProposalPorts,
  principal: Principal,
  request: ProposalRequest,
): Promise<{ readonly kind: "proposed"; readonly text: string } | Refusal> {
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

/** What governs the agent or the namespace by an assignment of its own; null when nothing does. */
async function presentPolicy(
  { assignments, policies }: ProposalPorts,
  { org }: Principal,
  { agentId, namespace }: ProposalRequest,
): Promise<DocumentText | null> {
  const filter = { policyId: null, agentId, namespaceId: namespace };
  const page = await assignments.assignments(org, filter, { limit: 1, after: null });
  const [assigned] = page === "bad_cursor" ? [] : page.items;
  if (assigned === undefined) return null;
  const stored = await policies.latestPolicy(org, assigned.policy_id);
  return stored === null ? null : { source: stored.source, mediaType: stored.mediaType };
}

const NOT_PROPOSED = "The policy could not be proposed. Choose a shorter range, or try again later.";

async function propose(
  { log, clock, rowThread, recordedCalls }: ProposalPorts,
  order: Parameters<typeof workOnRows>[1],
): Promise<{ readonly kind: "proposed"; readonly text: string } | Refusal> {
  const endsAtMs = clock.nowMs() + PROPOSAL_BUDGET_MS;
  const goesOn = async (): Promise<boolean> => clock.nowMs() < endsAtMs;
  try {
    const end = await workOnRows({ thread: rowThread, recordedCalls, goesOn }, order);
    if (end.kind === "done") return { kind: "proposed", text: end.text };
    return refuse(
      "too_much_work",
      end.kind === "refused" ? `The policy is not proposed: ${end.reason}.` : NOT_PROPOSED,
    );
  } catch (error) {
    log.error(faultFields(error), "a policy could not be proposed");
    return refuse("compiler_unavailable", NOT_PROPOSED);
  }
}
