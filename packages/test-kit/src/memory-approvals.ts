import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import { GRANT_LIFETIME_MS, MAX_COVERED_CALLS } from "@svc/contract/limits";
import {
  bindingText,
  type LockedApprovals,
  NO_APPROVALS,
  type OpenedApproval,
  sharesOf,
  shareText,
  workflowText,
} from "@svc/store/claims/approval";
import { grantText, type LockedGrant } from "@svc/store/claims/grant";
import type { ElsewhereQuestion, StoredGrant } from "@svc/store/ports/approval-store";
import type { ApprovalClaim, GrantClaim } from "@svc/store/ports/claims";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { JsonObject } from "@svc/text/json-value";
import { KitRefusal } from "./kit-refusal.ts";

/** Who approves, as far as the service sees it: somebody else than who asks. */
const APPROVER = "test-approver";

interface Stored extends StoredGrant {
  readonly org: string;
  readonly claim: ApprovalClaim;
  /** The rows that have used it. */
  readonly usedIn: readonly RowPosition[];
}

function withUses(grant: Stored, usedIn: readonly RowPosition[], usedAtMs: number | null): Stored {
  const usedBy = usedIn.length < grant.maxUses ? null : (usedIn.at(-1) ?? null);
  return { ...grant, usedIn, uses: usedIn.length, usedBy, usedAtMs };
}

/** The approvals of one test, and the grants that they gave. */
export class MemoryApprovals {
  readonly #workflows: ReadonlyMap<string, ApprovalWorkflow>;
  readonly #open = new Map<string, OpenedApproval>();
  readonly #ended = new Map<string, "approved" | "denied">();
  readonly #grants = new Map<string, Stored>();

  /** @param workflows by the text of their name */
  constructor(workflows: ReadonlyMap<string, ApprovalWorkflow>) {
    this.#workflows = workflows;
  }

  /** What a claim for an approval is judged by. */
  heldFor(claim: ApprovalClaim | null): LockedApprovals {
    if (claim === null) return NO_APPROVALS;
    const { atMs, org, workflowId } = claim;
    const open = [...this.#open.values()];
    const ready = [...this.#grants.values()].filter(
      ({ usedBy, expiresAtMs }) => usedBy === null && expiresAtMs > atMs,
    );
    const counted = open.filter(({ expiresAtMs }) => expiresAtMs > atMs);
    const counts = sharesOf(claim).map((share) => {
      const text = shareText(share);
      const same = counted.filter((one) => sharesOf(one.claim).some((other) => shareText(other) === text));
      return [text, same.length] as const;
    });
    const workflow = workflowId === null ? undefined : this.#workflows.get(workflowId);
    return {
      open: new Map(
        open.map(({ claim: opened, position, expiresAtMs }) => [
          bindingText(opened),
          { approvalId: opened.approvalId, position, expiresAtMs },
        ]),
      ),
      ready: Map.groupBy(ready, bindingText),
      counts: new Map(counts),
      workflows: new Map(workflow === undefined ? [] : [[workflowText(org, workflow.id), workflow]]),
    };
  }

  grantsByText(): ReadonlyMap<string, LockedGrant> {
    return new Map([...this.#grants.values()].map((grant) => [grantText(grant), grant]));
  }

  async grant(org: string, approvalId: string): Promise<StoredGrant | null> {
    return this.#grants.get(grantText({ org, approvalId })) ?? null;
  }

  open(opened: OpenedApproval): void {
    const text = bindingText(opened.claim);
    for (const [id, { claim }] of this.#open) if (bindingText(claim) === text) this.#open.delete(id);
    this.#open.set(opened.claim.approvalId, opened);
  }

  use(claim: GrantClaim, by: RowPosition): void {
    const text = grantText(claim);
    const grant = this.#grants.get(text);
    if (grant === undefined) return;
    const usedIn = [...grant.usedIn, by];
    this.#grants.set(text, withUses(grant, usedIn, claim.atMs));
  }

  releaseGrantOf({ seq }: RowPosition): void {
    for (const [text, grant] of this.#grants) {
      const usedIn = grant.usedIn.filter((position) => position.seq !== seq);
      if (usedIn.length < grant.usedIn.length)
        this.#grants.set(text, withUses(grant, usedIn, grant.usedAtMs));
    }
  }

  /** Whether there is an unused grant for the same call of another session. */
  usableElsewhere({ anywhere, sessionId, atMs }: ElsewhereQuestion): boolean {
    return [...this.#grants.values()].some(
      ({ claim, usedBy, expiresAtMs }) =>
        claim.anywhere === anywhere && claim.sessionId !== sessionId && usedBy === null && expiresAtMs > atMs,
    );
  }

  /** @param id null: the one that is open. @returns its id @throws KitRefusal */
  approve(id: string | null, args: JsonObject | null, atMs: number): string {
    const claim = this.#end(id, "approved", atMs, args);
    const { org, approvalId, binding, holdsFor } = claim;
    const edit = args === null ? null : [{ path: [], value: args }];
    const maxUses = holdsFor.covers.length === 0 ? 1 : MAX_COVERED_CALLS;
    const unused = { usedBy: null, usedAtMs: null, uses: 0, usedIn: [] };
    this.#grants.set(grantText({ org, approvalId }), {
      ...unused,
      org,
      claim,
      approvalId,
      binding,
      edit,
      approvers: [APPROVER],
      maxUses,
      expiresAtMs: atMs + GRANT_LIFETIME_MS,
    });
    return approvalId;
  }

  /** As `approve`. */
  deny(id: string | null, atMs: number): string {
    return this.#end(id, "denied", atMs).approvalId;
  }

  #end(
    id: string | null,
    how: "approved" | "denied",
    atMs: number,
    args: JsonObject | null = null,
  ): ApprovalClaim {
    const open = [...this.#open].filter(([, { expiresAtMs }]) => atMs < expiresAtMs);
    const [found, another] = id === null ? open : open.filter(([openId]) => openId === id);
    if (found === undefined) throw new KitRefusal(this.#whyNone(id));
    if (another !== undefined) {
      const ids = open.map(([openId, { claim }]) => `${openId} (${claim.agentId}: ${claim.tool})`);
      throw new KitRefusal(`approval: expected an id, because several are open: ${ids.join(", ")}`);
    }
    const [openId, { claim }] = found;
    if (args !== null && claim.holdsFor.covers.length > 0)
      throw new KitRefusal("approval: it covers further calls, so its arguments cannot be edited");
    this.#open.delete(openId);
    this.#ended.set(openId, how);
    return claim;
  }

  #whyNone(id: string | null): string {
    if (id === null) return "approval: expected a paused call, found no open approval";
    const ended = this.#ended.get(id);
    if (ended !== undefined) return `approval: ${id} was ${ended} before. An approval ends once`;
    return this.#open.has(id)
      ? `approval: ${id} has expired. The agent must ask again`
      : `approval: expected the id of a paused call, found ${JSON.stringify(id)}`;
  }
}
