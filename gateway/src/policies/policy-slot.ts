import type { LoadedPolicy } from "./loaded-policy.ts";
import { PolicyLoad, type PolicyVersion } from "./policy-load.ts";

/** The place of one policy: what governs calls now, and the later version that is being compiled. */
export interface PolicySlot {
  inForce: LoadedPolicy;
  load: PolicyLoad | null;
}

/** What becomes of a slot. Nothing has happened yet: `takeEffect` makes it so. */
export interface SlotChange {
  readonly slot: PolicySlot;
  /** The load that begins with the change. */
  readonly begins: PolicyLoad | null;
  /** The load that the change puts an end to. */
  readonly ends: PolicyLoad | null;
}

/** The revisions between which a change was made: the same one twice, or all that a snapshot may bring. */
export interface RevisionRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Works out what a change makes of a policy's place. What is known already (the same version of the same
 * document) is kept, and is not compiled again. A policy that is disabled is so at once. Of a new version the
 * compilation begins; what governed calls before stays in force until it ends.
 */
export function changeSlot(
  known: PolicySlot | null,
  policy: PolicyVersion,
  { enabled, revisions }: { readonly enabled: boolean; readonly revisions: RevisionRange },
): SlotChange {
  const { id, version } = policy;
  const pending = known?.load ?? null;
  if (!enabled)
    return { slot: { inForce: { kind: "disabled", id, version }, load: null }, begins: null, ends: pending };
  if (known !== null && known.inForce.kind === "ready" && isSame(known.inForce, policy)) {
    return pending === null
      ? { slot: known, begins: null, ends: null }
      : { slot: { inForce: known.inForce, load: null }, begins: null, ends: pending };
  }
  if (known !== null && pending !== null && isSame(pending.policy, policy)) {
    pending.extendTo(revisions.last);
    return { slot: known, begins: null, ends: null };
  }
  const first = pending?.firstRevision ?? revisions.first;
  const load = new PolicyLoad(policy, { first, last: revisions.last });
  return { slot: { inForce: inForceMeanwhile(known, policy), load }, begins: load, ends: pending };
}

/** Ends and begins what a change does. The slot must stand in the index that calls look into. */
export function takeEffect({ slot, begins, ends }: SlotChange): void {
  begins?.begin((loaded) => {
    slot.inForce = loaded;
    slot.load = null;
  });
  ends?.giveWayTo(begins);
}

/** The document counts, too: after a restored backup a version can say something else than before. */
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
