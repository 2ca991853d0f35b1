/** What the log says, in the words of the model. Amounts stand for the arguments of a call. */
export type Logged =
  | { readonly kind: "paused"; readonly id: string; readonly amount: number; readonly version: number }
  | {
      readonly kind: "allowed";
      readonly id: string;
      readonly decision: string;
      readonly amount: number;
      readonly ranWith: number;
      readonly version: number;
    }
  | { readonly kind: "withdrawn"; readonly decision: string }
  | {
      readonly kind: "moved";
      readonly id: string;
      readonly to: string;
      readonly by: string;
      readonly edited: number | null;
    }
  | { readonly kind: "version"; readonly version: number }
  | { readonly kind: "switch"; readonly isActive: boolean };

interface Approval {
  readonly id: string;
  readonly amount: number;
  readonly version: number;
  readonly endsAt: number;
  readonly votes: string[];
  status: string;
  edited: number | null;
  grantEndsAt: number;
  usedBy: string | null;
}

/** What a person does about an approval. */
export interface Resolution {
  readonly to: string;
  readonly id: string;
  readonly by: string;
  readonly edited: number | null;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The amount that every version of the policy denies, and the one above which it asks people. */
export const DENIED_AMOUNT = 666;
export const FREE_AMOUNT = 100;

/** The amount that two people must approve. */
export const SHARED_AMOUNT = 902;

const MAY_FOLLOW: Readonly<Record<string, readonly string[]>> = {
  voted: ["pending"],
  approved: ["pending"],
  denied: ["pending", "suspended"],
  cancelled: ["pending", "suspended"],
  expired: ["pending", "suspended"],
  suspended: ["pending"],
  resumed: ["suspended"],
  revoked: ["approved"],
};

/**
 * What approvals may do, in as few lines as possible and without any code of the product. It follows the log
 * row by row and throws at the first row that must not be. It also foretells the answer of a step that
 * nothing else races with.
 */
export class ApprovalModel {
  readonly approvals: Approval[] = [];
  version = 1;
  isKilled = false;

  /** @param atMs the time of the row */
  follow(logged: Logged, atMs: number): void {
    switch (logged.kind) {
      case "paused": {
        const known = this.approvals.find(({ id }) => id === logged.id);
        if (known === undefined) return this.#open(logged, atMs);
        return must(isOf(known, logged), "a pause names the approval of another call");
      }
      case "allowed":
        return this.#use(logged, atMs);
      case "withdrawn":
        for (const one of this.approvals) if (one.usedBy === logged.decision) one.usedBy = null;
        return;
      case "moved":
        return this.#move(logged, atMs);
      case "version":
        must(logged.version === this.version + 1, "versions of a policy have a gap");
        this.version = logged.version;
        return;
      case "switch":
        this.isKilled = logged.isActive;
    }
  }

  /** What a call may get now. It has several grants when one was given back after it had asked anew. */
  call(amount: number, nowMs: number): readonly string[] {
    if (this.isKilled) return ["deny kill_switch"];
    const mine = this.approvals.filter((one) => isOf(one, { amount, version: this.version }));
    const granted = mine.filter((one) => one.status === "approved" && isUsable(one, nowMs));
    if (granted.length === 0) return [`pause ${mine.find((one) => isOpen(one, nowMs))?.id ?? "new"}`];
    return granted.map(({ edited }) => answerTo(amount, edited ?? amount));
  }

  /** Whether a person may take this step now. */
  may({ to, id, by, edited }: Resolution, nowMs: number): boolean {
    const one = this.approvals.find((other) => other.id === id);
    if (one === undefined) return false;
    // Who cancels what was given takes back what is left of it.
    if (to === "cancelled" && one.status === "approved") return nowMs < one.grantEndsAt;
    if (!isOpen(one, nowMs)) return false;
    if (MAY_FOLLOW[to]?.includes(one.status) !== true) return false;
    return to !== "approved" || (one.version === this.version && mayVote(one, { by, edited }));
  }

  /** How many approvals a suspension or its end would move now. */
  movable(from: string, nowMs: number): number {
    return this.approvals.filter((one) => one.status === from && isOpen(one, nowMs)).length;
  }

  #open({ id, amount, version }: Logged & { kind: "paused" }, atMs: number): void {
    const open = this.approvals.some((one) => isOpen(one, atMs) && isOf(one, { amount, version }));
    must(!open, "one call has two open approvals");
    const rest = { votes: [], status: "pending", edited: null, grantEndsAt: 0, usedBy: null };
    this.approvals.push({ id, amount, version, endsAt: atMs + DAY_MS, ...rest });
  }

  #use({ id, amount, version, ranWith, decision }: Logged & { kind: "allowed" }, atMs: number): void {
    const one = this.#find(id);
    must(one.status === "approved", `a call passed although its approval is ${one.status}`);
    must(isOf(one, { amount, version }), "a grant let another call pass, or one under another version");
    must(one.usedBy === null, "a grant was used twice");
    must(atMs < one.grantEndsAt, "a grant was used after its end");
    must(ranWith === (one.edited ?? amount), "a call ran with arguments that nobody approved");
    must(answerTo(amount, ranWith).startsWith("allow"), "an approval let a call pass that it does not cover");
    one.usedBy = decision;
  }

  #move({ id, to, by, edited }: Logged & { kind: "moved" }, atMs: number): void {
    const one = this.#find(id);
    must(MAY_FOLLOW[to]?.includes(one.status) === true, `an approval that is ${one.status} became ${to}`);
    if (to === "revoked") {
      must(atMs < one.grantEndsAt, "a grant was revoked twice, or after its end");
      one.grantEndsAt = 0;
      return;
    }
    must(to === "expired" ? atMs >= one.endsAt : atMs < one.endsAt, `an approval became ${to} out of time`);
    if (to === "voted" || to === "approved") this.#vote(one, { by, edited }, to);
    else one.status = to === "resumed" ? "pending" : to;
    if (to === "approved") one.grantEndsAt = atMs + HOUR_MS;
  }

  #vote(one: Approval, vote: Pick<Resolution, "by" | "edited">, to: string): void {
    must(mayVote(one, vote), "one person approved twice, or two people approved different arguments");
    one.votes.push(vote.by);
    one.edited = vote.edited;
    const required = one.amount === SHARED_AMOUNT ? 2 : 1;
    must((to === "approved") === (one.votes.length === required), `${one.votes.join()} led to ${to}`);
    if (to === "approved") one.status = to;
  }

  #find(id: string): Approval {
    const found = this.approvals.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no row has opened the approval ${id}`);
    return found;
  }
}

function isOf(one: Approval, { amount, version }: Pick<Approval, "amount" | "version">): boolean {
  return one.amount === amount && one.version === version;
}

/** An edit may lead to no rule that stops the call, but to the one that was approved. */
function answerTo(asked: number, edited: number): string {
  if (edited === DENIED_AMOUNT) return "deny rule";
  const isCovered = edited <= FREE_AMOUNT || (edited === SHARED_AMOUNT) === (asked === SHARED_AMOUNT);
  return isCovered ? `allow ${String(edited)}` : "deny approval_not_covering";
}

function mayVote({ votes, edited }: Approval, vote: Pick<Resolution, "by" | "edited">): boolean {
  return !votes.includes(vote.by) && (votes.length === 0 || edited === vote.edited);
}

function isOpen({ status, endsAt }: Approval, nowMs: number): boolean {
  return (status === "pending" || status === "suspended") && nowMs < endsAt;
}

function isUsable({ usedBy, grantEndsAt }: Approval, nowMs: number): boolean {
  return usedBy === null && nowMs < grantEndsAt;
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
