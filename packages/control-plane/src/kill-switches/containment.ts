import type { CertifiedGateway, ContainmentCertificate } from "@svc/contract/containment-certificate";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { ClusterMember, ClusterReach, ReachedMember } from "@svc/store/ports/cluster";
import type { StoredActivation } from "@svc/store/ports/kill-switch-store";

/** What is known of the reach of a switch, as of one moment. All its times are of one clock. */
export interface Reach extends Omit<ClusterReach, "head"> {
  readonly clock: ContainmentCertificate["clock"];
  /** Who says so: the gateway id of this process. */
  readonly issuer: string;
  /**
   * Milliseconds until every lease has ended that a read from before the revision has given; at most 0 when
   * none is left. Measured by the monotonic clock of this process alone, which has seen the revision.
   */
  leaseLeftMs(revision: number): number;
}

/** Reads the reach of switches. Rejects when the store does not answer. */
export interface AcknowledgementReader {
  reach(org: string, activation: StoredActivation): Promise<Reach>;
}

export type Containment = Pick<
  ContainmentCertificate,
  "containment" | "contained_since" | "contained_at_latest" | "gateways"
>;

/** What may be claimed about a switch whose record was read after the reach. */
export function containmentOf(reach: Reach, { record, revision }: StoredActivation): Containment {
  const facts = factsOf(reach, revision);
  if (record.status === "inactive") return ended(facts);
  const leftMs = reach.leaseLeftMs(revision);
  const lease = { leftMs, endMs: leftMs > 0 ? null : leaseEndMs(reach) };
  const gateways = facts.map((fact) => judge(fact, { reach, revision, lease }));
  const isOpen = gateways.some(({ state }) => state === "not_yet_contained");
  // Without a list of those who had to acknowledge, somebody may be missing until every lease has ended.
  if (isOpen || (reach.reached.length === 0 && leftMs > 0)) {
    const contained_at_latest = timeOf(reach.nowMs + leftMs);
    return { containment: "not_yet_contained", contained_since: null, contained_at_latest, gateways };
  }
  const times = gateways.flatMap(({ state, contained_since }) =>
    state === "joined_later" ? [] : (contained_since ?? []),
  );
  const contained_since = times.toSorted().at(-1) ?? timeOf(lease.endMs ?? reach.nowMs);
  return { containment: "contained", contained_since, contained_at_latest: null, gateways };
}

/** One process: its part at the activation, its present row, or both. */
interface Fact {
  readonly reached: ReachedMember | null;
  readonly member: ClusterMember | null;
}

/** The processes that decide calls, by id. One that was started again under its id is another process. */
function factsOf({ reached, members }: Reach, revision: number): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const each of reached) facts.set(keyOf(each), { reached: each, member: null });
  const reachedById = Map.groupBy(reached, ({ id }) => id);
  for (const member of members) {
    const own = facts.get(keyOf(member))?.reached;
    const earlier = reachedById.get(member.id)?.find((each) => isEarlierEpoch(each, member, revision));
    const listed = own ?? earlier ?? null;
    facts.set(keyOf(listed ?? member), { reached: listed, member });
  }
  return [...facts.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, fact]) => fact)
    .filter(({ reached: listed, member }) => (member ?? listed)?.role !== "control");
}

/**
 * Whether a process acknowledged, and then got a new epoch because it had to connect again. It has been a
 * member since before it acknowledged. A process that was started again has joined after that.
 */
function isEarlierEpoch(listed: ReachedMember, member: ClusterMember, revision: number): boolean {
  return (
    listed.id === member.id &&
    listed.epoch < member.epoch &&
    listed.acknowledgedMs !== null &&
    member.joinedMs <= listed.acknowledgedMs &&
    member.joinedRevision < revision &&
    member.applied >= revision
  );
}

function keyOf({ id, epoch }: Pick<ReachedMember, "id" | "epoch">): string {
  return `${id} ${String(epoch).padStart(16, "0")}`;
}

/**
 * When the last lease ended that a read from before the commit has given. Somebody who acknowledged had read
 * the commit, so the earliest acknowledgement is not before it.
 */
function leaseEndMs({ reached, nowMs }: Reach): number {
  const acknowledged = reached.flatMap(({ acknowledgedMs }) => acknowledgedMs ?? []);
  return Math.min(nowMs, Math.min(...acknowledged) + CONTROL_LEASE_MS);
}

interface Judging {
  readonly reach: Reach;
  readonly revision: number;
  readonly lease: { readonly leftMs: number; readonly endMs: number | null };
}

function judge(fact: Fact, { reach: { nowMs }, revision, lease }: Judging): CertifiedGateway {
  const { reached, member } = fact;
  const acknowledgedMs = reached?.acknowledgedMs ?? null;
  const contained = (state: "enforcing" | "joined_later" | "denying", sinceMs: number): CertifiedGateway => ({
    ...known(fact),
    state,
    contained_since: timeOf(Math.min(sinceMs, nowMs)),
    contained_at_latest: null,
  });
  const endMs = lease.endMs ?? Number.POSITIVE_INFINITY;
  if (acknowledgedMs !== null) return contained("enforcing", Math.min(acknowledgedMs, endMs));
  if (reached === null && member !== null && member.joinedRevision >= revision)
    return contained("joined_later", member.joinedMs);
  if (member !== null && member.applied >= revision) return contained("enforcing", Math.min(nowMs, endMs));
  if (lease.endMs !== null) return contained("denying", lease.endMs);
  const contained_at_latest = timeOf(nowMs + lease.leftMs);
  return { ...known(fact), state: "not_yet_contained", contained_since: null, contained_at_latest };
}

function ended(facts: readonly Fact[]): Containment {
  const gateways = facts.map(
    (fact): CertifiedGateway => ({
      ...known(fact),
      state: "ended",
      contained_since: null,
      contained_at_latest: null,
    }),
  );
  return { containment: "ended", contained_since: null, contained_at_latest: null, gateways };
}

function known({ reached, member }: Fact) {
  const { id, host, version } = member ?? reached ?? { id: "", host: "", version: "" };
  const acknowledgedMs = reached?.acknowledgedMs ?? null;
  return {
    id,
    host,
    version,
    acknowledged_at: acknowledgedMs === null ? null : timeOf(acknowledgedMs),
    last_seen_at: member === null ? null : timeOf(member.lastSeenMs),
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
