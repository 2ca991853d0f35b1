import type { LoadedPolicy } from "./loaded-policy.ts";
import { PolicyLoad, type PolicyVersion } from "./policy-load.ts";

/** One policy: the version that governs calls now, and the later version that is being compiled. */
export interface PolicySlot {
  inForce: LoadedPolicy;
  load: PolicyLoad | null;
}

/** A planned change of a slot. Nothing happens until `takeEffect` is called. */
export interface SlotChange {
  readonly slot: PolicySlot;
  /** The load that begins with the change. */
  readonly begins: PolicyLoad | null;
  /** The load that the change ends. */
  readonly ends: PolicyLoad | null;
  /** The slot before the change, and what it held when the change was planned; null when there was none. */
  readonly basis: { readonly slot: PolicySlot; readonly held: Readonly<PolicySlot> } | null;
}

/**
 * The revisions between which a change was made. For an event both are the same; for a snapshot they span all
 * that it may contain.
 */
export interface RevisionRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Plans how a change affects a policy's slot. A version that is already known (the same version of the same
 * document) is kept and not compiled again. Disabling a policy takes effect at once. A new version begins to
 * compile, and the version before it stays in force until the compilation ends.
 */
export function changeSlot(
  known: PolicySlot | null,
  policy: PolicyVersion,
  { enabled, revisions }: { readonly enabled: boolean; readonly revisions: RevisionRange },
): SlotChange {
  const { id, version } = policy;
  const pending = known?.load ?? null;
  const basis = known === null ? null : { slot: known, held: { ...known } };
  if (!enabled) {
    const slot: PolicySlot = { inForce: { kind: "disabled", id, version }, load: null };
    return { slot, begins: null, ends: pending, basis };
  }
  if (known !== null && known.inForce.kind === "ready" && isSame(known.inForce, policy)) {
    return pending === null
      ? { slot: known, begins: null, ends: null, basis }
      : { slot: { inForce: known.inForce, load: null }, begins: null, ends: pending, basis };
  }
  if (known !== null && pending !== null && isSame(pending.policy, policy)) {
    pending.extendTo(revisions.last);
    return { slot: known, begins: null, ends: null, basis };
  }
  const first = pending?.firstRevision ?? revisions.first;
  const load = new PolicyLoad(policy, { first, last: revisions.last });
  return { slot: { inForce: inForceMeanwhile(known, policy), load }, begins: load, ends: pending, basis };
}

/** Whether a load has ended in the slot since the change was planned. Then it must be planned again. */
export function isOutdated({ basis }: SlotChange): boolean {
  if (basis === null) return false;
  return basis.slot.inForce !== basis.held.inForce || basis.slot.load !== basis.held.load;
}

/** Carries out a planned change. The slot must already be in the index that calls read. */
export function takeEffect({ slot, begins, ends }: SlotChange): void {
  begins?.begin((loaded) => {
    slot.inForce = loaded;
    slot.load = null;
  });
  ends?.giveWayTo(begins);
}

/** The document is compared too: after a backup was restored, the same version can hold another document. */
function isSame(
  one: { readonly version: number; readonly source: string },
  other: { readonly version: number; readonly source: string },
): boolean {
  return one.version === other.version && one.source === other.source;
}

function inForceMeanwhile(known: PolicySlot | null, { id, version }: PolicyVersion): LoadedPolicy {
  switch (known?.inForce.kind) {
    case "ready":
    case "unloadable":
      return known.inForce;
    case "disabled":
    case "loading":
    case undefined:
      return { kind: "loading", id, version };
  }
}
