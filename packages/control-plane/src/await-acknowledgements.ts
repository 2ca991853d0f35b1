import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { faultFields } from "@svc/contract/fault-fields";
import { CONTROL_LEASE_MS, POLICY_PROPAGATION_WAIT_MS, PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import { within } from "@svc/process/within";
import type { ControlPlanePorts } from "./ports.ts";

/** Milliseconds after which an announcement that has not returned counts as failed: ten times its wait. */
const ACKNOWLEDGEMENT_LIMIT_MS = 10 * PROPAGATION_WAIT_MS;

/** The same for a change of policies, for which an announcement waits longer. */
const POLICY_LIMIT_MS = POLICY_PROPAGATION_WAIT_MS + ACKNOWLEDGEMENT_LIMIT_MS;

/** What is known of a committed change at the gateways, in its wire form. */
export interface Acknowledgements {
  readonly gateways: readonly GatewayAcknowledgement[];
  /**
   * In the form of RFC 3339. Present when the gateways could not be read: from then on each one denies every
   * call until it follows.
   */
  readonly lease_ends_at?: string;
  /** Present unless every gateway has acknowledged. It says what that means, for people. */
  readonly note?: string;
}

/** The same, with how long it took. */
export interface MeasuredAcknowledgements extends Acknowledgements {
  /** Whole milliseconds from the operation's start to the slowest acknowledgement; null without one. */
  readonly propagation_ms: number | null;
}

/** A committed change, and when the operation that made it began, by the monotonic clock. */
export interface CommittedChange {
  readonly revision: number;
  readonly startedMs: number;
}

type AcknowledgementPorts = Pick<ControlPlanePorts, "timers" | "log">;

type AnnouncementPorts = AcknowledgementPorts & Pick<ControlPlanePorts, "clock" | "propagation">;

/** Announces a committed revision. Never rejects: the change stands even when its announcement fails. */
export async function announceRevision(
  ports: AnnouncementPorts,
  revision: number,
): Promise<Acknowledgements> {
  const announce = async () => ({ gateways: await ports.propagation.announce(revision) });
  return (await askGateways(ports, announce)).acknowledgements;
}

/**
 * Announces a committed change of a key, and waits for as long as this: PROPAGATION_WAIT_MS when a key ends,
 * SECRET_PROPAGATION_WAIT_MS when it gets a secret. Never rejects: the change stands.
 */
export async function announceKeyChange(
  ports: AnnouncementPorts,
  { revision, startedMs }: CommittedChange,
  waitMs: number,
): Promise<MeasuredAcknowledgements> {
  const announcedMs = ports.clock.nowMs();
  const announce = async () => ({ gateways: await ports.propagation.announceKeyChange(revision, waitMs) });
  const { acknowledgements } = await askGateways(ports, announce, waitMs + ACKNOWLEDGEMENT_LIMIT_MS);
  const propagation_ms = propagationMs(acknowledgements.gateways, announcedMs - startedMs);
  return { propagation_ms, ...acknowledgements };
}

/**
 * Announces a committed change of a policy or of what one is bound to. Never rejects: the change stands,
 * whatever becomes of its announcement.
 */
export async function announcePolicyChange(
  ports: AnnouncementPorts,
  { revision, startedMs }: CommittedChange,
): Promise<MeasuredAcknowledgements> {
  const announcedMs = ports.clock.nowMs();
  const announce = () => ports.propagation.announcePolicyChange(revision);
  const gateways = (await awaitAcknowledgements(ports, announce, POLICY_LIMIT_MS)) ?? [];
  const propagation_ms = propagationMs(gateways, announcedMs - startedMs);
  const silent = silentGateways(gateways);
  const known = { propagation_ms, gateways };
  return silent === null ? known : { ...known, note: policySilenceNote(silent) };
}

/**
 * Asks the gateways about a policy that is as it was asked for already. Its latest version may still be
 * compiled, and no later change of control state says anything about that. Never rejects.
 */
export async function probeUnchangedPolicy(
  ports: AnnouncementPorts,
  { org, id, startedMs }: { readonly org: string; readonly id: string; readonly startedMs: number },
): Promise<MeasuredAcknowledgements> {
  const askedMs = ports.clock.nowMs();
  const acknowledgements = await probePolicy(ports, org, id);
  const propagation_ms = propagationMs(acknowledgements.gateways, askedMs - startedMs);
  return { propagation_ms, ...acknowledgements };
}

/** Asks the gateways whether the latest version of a policy is in force there. Never rejects. */
export async function probePolicy(
  ports: AcknowledgementPorts & Pick<ControlPlanePorts, "propagation">,
  org: string,
  id: string,
): Promise<Acknowledgements> {
  const ask = () => ports.propagation.probePolicy(org, id);
  const gateways = (await awaitAcknowledgements(ports, ask, POLICY_LIMIT_MS)) ?? [];
  const silent = silentGateways(gateways);
  return silent === null ? { gateways } : { gateways, note: policySilenceNote(silent) };
}

/** What the gateways say of a change; the answer is null when they could not be asked. */
export interface AskedGateways<Answer> {
  readonly answer: Answer | null;
  readonly acknowledgements: Acknowledgements;
}

/** Asks the gateways about a change that was committed before this call. Never rejects. */
export async function askGateways<Answer extends Pick<Acknowledgements, "gateways">>(
  ports: AcknowledgementPorts & Pick<ControlPlanePorts, "clock">,
  ask: () => Promise<Answer>,
  limitMs?: number,
): Promise<AskedGateways<Answer>> {
  // No gateway allows a call by control state that it read longer ago than this.
  const leaseEndsAt = new Date(ports.clock.now().getTime() + CONTROL_LEASE_MS).toISOString();
  const answer = await awaitAcknowledgements(ports, ask, limitMs);
  if (answer !== null) return { answer, acknowledgements: acknowledgementsOf(answer.gateways) };
  const note = silenceNote("any gateway", leaseEndsAt);
  return { answer, acknowledgements: { gateways: [], lease_ends_at: leaseEndsAt, note } };
}

/**
 * Waits for the answers of the gateways. Returns null and writes an error to the log when that fails or
 * takes too long.
 */
export async function awaitAcknowledgements<Answer>(
  { timers, log }: AcknowledgementPorts,
  ask: () => Promise<Answer>,
  limitMs: number = ACKNOWLEDGEMENT_LIMIT_MS,
): Promise<Answer | null> {
  try {
    const outcome = await within(limitMs, ask(), timers);
    if (outcome.kind === "in_time") return outcome.value;
    log.error({ limit_ms: limitMs }, "gateways did not acknowledge in time");
  } catch (error) {
    log.error(faultFields(error), "the acknowledgements of the gateways are not known");
  }
  return null;
}

export function acknowledgementsOf(gateways: readonly GatewayAcknowledgement[]): Acknowledgements {
  const silent = silentGateways(gateways);
  if (silent === null) return { gateways };
  const leaseEnds = gateways.flatMap(({ lease_ends_at }) => lease_ends_at ?? []).toSorted();
  return { gateways, note: silenceNote(silent, leaseEnds.at(-1)) };
}

/**
 * True only when there is at least one gateway and each has acknowledged. Silence does not
 * count as enforcement.
 */
export function isEnforced(gateways: readonly GatewayAcknowledgement[]): boolean {
  return gateways.length > 0 && gateways.every(({ acknowledged_ms }) => acknowledged_ms !== null);
}

/**
 * Whole milliseconds from an operation's start to the slowest acknowledgement, rounded up; null when there is
 * none. `beforeMs` passed between that start and the announcement.
 */
export function propagationMs(gateways: readonly GatewayAcknowledgement[], beforeMs: number): number | null {
  const known = gateways.flatMap(({ acknowledged_ms }) => acknowledged_ms ?? []);
  return known.length === 0 ? null : Math.ceil(beforeMs + Math.max(...known));
}

/** Names the gateways that have not acknowledged, for people; null when every gateway has. */
function silentGateways(gateways: readonly GatewayAcknowledgement[]): string | null {
  if (isEnforced(gateways)) return null;
  const silent = gateways.filter(({ acknowledged_ms }) => acknowledged_ms === null).map(({ id }) => id);
  return silent.length === 0 ? "any gateway" : silent.join(", ");
}

function policySilenceNote(silent: string): string {
  return (
    `No acknowledgement from ${silent} so far: the change is stored, but may not be in force there. ` +
    "Until a new version of a policy is compiled, a gateway decides by the version before it, and denies " +
    "where it has none. To stop calls at once, activate a kill switch."
  );
}

function silenceNote(silent: string, latestLeaseEnd: string | undefined): string {
  const at = latestLeaseEnd === undefined ? "" : `, at ${latestLeaseEnd}`;
  return (
    `No acknowledgement from ${silent} so far. A gateway that cannot prove its control state current ` +
    `denies every call: its lease ends within ${CONTROL_LEASE_MS.toLocaleString("en-US")} ms${at}.`
  );
}
