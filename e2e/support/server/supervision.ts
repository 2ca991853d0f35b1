import { SEVERITIES, type Severity } from "@svc/contract/severity";
import { expect } from "vitest";
import { send } from "./api.ts";
import type { Client } from "./api-keys.ts";

/** Milliseconds that a test waits for a step of the ladder on a busy machine. */
export const STEP_WITHIN_MS = 30_000;

/** Settings that let silence be an emergency after five seconds. */
export const FAST_LADDER = {
  interval_seconds: 1,
  warn_after_missed: 2,
  critical_after_missed: 3,
  emergency_after_missed: 5,
};

/** Settings that suspend a silent agent after two seconds, and terminate it long after a test. */
export const SUSPENDING_LADDER = {
  ...FAST_LADDER,
  warn_after_missed: 1,
  critical_after_missed: 2,
  emergency_after_missed: 600,
};

export async function setLadder(
  operator: Client,
  heartbeat: object,
  rest: object = {},
  namespace = "default",
): Promise<void> {
  const json = { rogue_detection: { heartbeat, ...rest } };
  // A process that has just joined a cluster refuses changes until the others know it.
  const put = async () => (await operator("PUT", `namespaces/${namespace}/rogue-detection`, { json })).status;
  await expect.poll(put, { timeout: STEP_WITHIN_MS, interval: 100 }).toBe(200);
}

/** The rows that a question names, oldest first. Waits until the list has all that was committed before. */
export async function rowsOf(operator: Client, query: string): Promise<readonly Record<string, unknown>[]> {
  let rows: readonly { readonly row: Record<string, unknown> }[] = [];
  const isComplete = async () => {
    const { status, body } = await operator("GET", `audit?limit=200&${query}`);
    expect(status).toBe(200);
    rows = body["rows"] as typeof rows;
    return (body["indexed"] as Record<string, unknown>)["complete"];
  };
  await expect.poll(isComplete, { timeout: STEP_WITHIN_MS, interval: 50 }).toBe(true);
  return rows.map(({ row }) => row).toReversed();
}

export async function severityOf(operator: Client, agentId: string): Promise<unknown> {
  return (await operator("GET", `agents/${agentId}/health`)).body["severity"];
}

/** Until the agent is rated so, or worse: a busy machine may look too late to see each step. */
export async function untilSeverity(operator: Client, agentId: string, severity: Severity): Promise<void> {
  const options = { timeout: STEP_WITHIN_MS, interval: 50 };
  const worse = severity === "INFO" ? [] : SEVERITIES.slice(SEVERITIES.indexOf(severity));
  const enough: readonly unknown[] = [severity, ...worse];
  await expect.poll(async () => enough.includes(await severityOf(operator, agentId)), options).toBe(true);
}

/**
 * Health once the last heartbeat is stored, which it is within half a second. The one before may have been
 * answered with a longer interval than that of the ladder, so that no severity would rise for as long.
 */
export async function healthOfHeard(
  operator: Client,
  agentId: string,
  ladder = FAST_LADDER,
): Promise<Readonly<Record<string, unknown>>> {
  let health: Readonly<Record<string, unknown>> = {};
  const eta = async () => {
    health = (await operator("GET", `agents/${agentId}/health`)).body;
    return health["escalation_eta_seconds"];
  };
  const etaSeconds = ladder.warn_after_missed * ladder.interval_seconds;
  await expect.poll(eta, { timeout: STEP_WITHIN_MS, interval: 20 }).toBeLessThanOrEqual(etaSeconds);
  return health;
}

/** Asks a server with keys of the documented roles, or without one where it wants none. */
export function rolesAt({ url }: { readonly url: string }): Client {
  return (method, path, { json, headers = {} } = {}) =>
    send(method, `${url}/api/v1/${path}`, { ...(json === undefined ? {} : { body: json }), headers });
}

interface SilentParts {
  readonly operator: Client;
  readonly agent: Client;
}

/** The agent sends heartbeats of the session until the settings are in force, and none afterwards. */
export async function superviseSilent(
  { operator, agent }: SilentParts,
  { agentId, sessionId }: { readonly agentId: string; readonly sessionId: string },
  ladder = FAST_LADDER,
): Promise<void> {
  await setLadder(operator, ladder);
  const json = { session_id: sessionId };
  const interval = async () =>
    (await agent("POST", `agents/${agentId}/heartbeat`, { json })).body["interval_seconds"];
  await expect.poll(interval, { timeout: STEP_WITHIN_MS, interval: 100 }).toBe(ladder.interval_seconds);
}
