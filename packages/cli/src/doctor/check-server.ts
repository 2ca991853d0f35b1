import { gatewayListRoutes } from "@svc/api/gateway-list-routes";
import { gatewayRoutes } from "@svc/api/gateway-routes";
import { keyRoutes } from "@svc/api/key-routes";
import { operationalRoutes } from "@svc/api/operational-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ANONYMOUS } from "@svc/contract/principal";
import type { Scope } from "@svc/contract/scope";
import { VERSION } from "@svc/process/version";
import type { ControlClient } from "../connection/control-client.ts";
import { endpointOf } from "../connection/prepare-request.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { CommandFailure, EXIT_CODES } from "../frame/exit-code.ts";
import { deniedCalls } from "../status/readiness-text.ts";
import { askSeam } from "./ask-seam.ts";
import { type Check, notOk, ok } from "./check.ts";
import { GIVE_SWITCH, stoppedBefore } from "./judge-seams.ts";
import { PROBE_AGENT, type Probe, type ProbeSwitch } from "./probe-seams.ts";

/** Who the key is. */
export type WhoAmI = JsonAnswerOf<typeof keyRoutes.whoAmI>["body"];

/** Milliseconds before the end of a key in which that is said. */
const ENDS_SOON_MS = 7 * 24 * 60 * 60 * 1_000;

/** Milliseconds that two clocks may differ. A webhook is refused at 300 s; a lease and a log need less. */
const MAX_SKEW_MS = 5_000;

/** What a key must permit for a probe that is denied for certain. */
const PROBE_SCOPES: readonly Scope[] = ["kill_switch:write", "call:execute"];

/** @throws CommandFailure `unreachable` without the server, `refused` for the key */
export async function askWhoIAm(client: ControlClient): Promise<WhoAmI> {
  return (await client.ask(keyRoutes.whoAmI)).body;
}

export function lacks({ scopes }: Pick<WhoAmI, "scopes">, scope: Scope): boolean {
  return !scopes.includes(scope);
}

export function checkKey(whoAmI: WhoAmI, nowMs: number): readonly Check[] {
  const { key_id, role, expires_at } = whoAmI;
  if (key_id === ANONYMOUS)
    return [notOk("key", "warn", "the server asks for no API key", "set SVC_AUTH=on where others reach it")];
  const missing = PROBE_SCOPES.filter((scope) => lacks(whoAmI, scope));
  const who = `key ${key_id} with the role ${role}`;
  const checks: Check[] = [
    missing.length === 0
      ? ok("key", who)
      : notOk(
          "key",
          "warn",
          `${who} lacks ${missing.join(" and ")}`,
          "use a key of the role admin for a whole check",
        ),
  ];
  if (expires_at !== null && Date.parse(expires_at) - nowMs < ENDS_SOON_MS)
    checks.push(notOk("key end", "warn", `it ends at ${expires_at}`, "rotate it before then"));
  return checks;
}

export function checkVersion({ server_version }: Pick<WhoAmI, "server_version">): Check {
  if (server_version === VERSION) return ok("version", `svc-server and svc-cli are ${VERSION}`);
  return notOk(
    "version",
    "warn",
    `svc-server is ${server_version}, svc-cli is ${VERSION}`,
    "use the svc-cli of the server's release",
  );
}

export async function checkReadiness(client: ControlClient): Promise<Check> {
  const { body } = await client.ask(operationalRoutes.getReadiness);
  const { status, ...parts } = body;
  if (status === "ready") return ok("server", "it can decide calls");
  const bad = Object.entries(parts).filter(([, state]) => state !== "ok");
  const found = `${deniedCalls(body)}: ${bad.map(([part, state]) => `${part} is ${state}`).join(", ")}`;
  return notOk(
    "server",
    "fail",
    found,
    "look at the log of svc-server; docs/OPERATIONS.md explains each part",
  );
}

/** By the header Date, which counts in seconds. */
export async function checkClock({ url }: Pick<Connection, "url">): Promise<Check> {
  const sentMs = Date.now();
  const answer = await askSeam(endpointOf(url, "/healthz"));
  const receivedMs = Date.now();
  const dateMs = answer.kind === "answered" ? Date.parse(answer.headers.get("date") ?? "") : Number.NaN;
  if (Number.isNaN(dateMs))
    return notOk("clock", "unknown", "the server did not say the time", "compare the clocks");
  // The header cuts off up to a second.
  const ahead = Math.max(dateMs - receivedMs, sentMs - (dateMs + 1_000), 0);
  if (ahead <= MAX_SKEW_MS) return ok("clock", "that of the server and that of this machine agree");
  const found = `the clocks of server and machine differ by ${String(Math.round(ahead / 1_000))} s`;
  return notOk("clock", "warn", found, "synchronize both with NTP");
}

export async function checkGateways(client: ControlClient, nowMs: number): Promise<readonly Check[]> {
  const { body } = await client.ask(gatewayListRoutes.listGateways);
  const deciding = body.gateways.filter(({ role }) => role !== "control");
  if (deciding.length === 0)
    return [
      notOk("gateways", "fail", "no process decides calls", "start svc-server with SVC_ROLE=gateway or all"),
    ];
  const denying = deciding.filter(
    ({ lease_ends_at: end }) => end === null || Date.parse(end) < nowMs - MAX_SKEW_MS,
  );
  const checks = denying.map(({ id, host }) =>
    notOk(
      "gateways",
      "fail",
      `${id} at ${host} follows no control state, and denies every call`,
      "look at its log",
    ),
  );
  const versions = new Set(deciding.map(({ version }) => version));
  if (versions.size > 1)
    checks.push(notOk("gateways", "warn", `they run ${[...versions].join(" and ")}`, "finish the upgrade"));
  return checks.length > 0
    ? checks
    : [ok("gateways", `every one (${String(deciding.length)}) follows control state`)];
}

/** A check that the key may not make is unknown. One that the server does not answer has failed. */
export async function answeredChecks(
  name: string,
  check: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    if (error.exitCode === EXIT_CODES.refused)
      return [notOk(name, "unknown", error.message, "use a key of the role admin")];
    return [notOk(name, "fail", error.message, "look at the log of svc-server")];
  }
}

/** Whether every gateway enforces the switch that was activated. */
export function checkSwitch({ enforced, gateways, note }: ProbeSwitch): Check {
  const slowest = Math.max(0, ...gateways.map(({ acknowledged_ms: ms }) => ms ?? 0));
  if (enforced)
    return ok(
      "kill switches",
      `every gateway (${String(gateways.length)}) enforces one after ${slowest.toFixed(1)} ms`,
    );
  const silent = gateways.filter(({ acknowledged_ms: ms }) => ms === null).map(({ id }) => id);
  const found = note ?? `no acknowledgement from ${silent.join(", ")}`;
  return notOk("kill switches", "fail", found, "look at the log of the gateways that are named");
}

/** Whether the gateway denies the probe. Nothing runs: svc-cli only asks. */
export async function checkDecision(
  client: ControlClient,
  { probe, proof }: { readonly probe: Probe; readonly proof: string | null },
): Promise<Check> {
  const body = { agent_id: PROBE_AGENT, session_id: PROBE_AGENT, tool: probe.tool, args: {} };
  const { body: verdict } = await client.ask(gatewayRoutes.executeCall, { body });
  if (verdict.decision === "deny") {
    if (proof !== null && verdict.reason.includes(proof))
      return ok("decisions", "the gateway denies a call that a kill switch stops");
    if (proof === null) return ok("decisions", `the gateway denies an unknown tool (${verdict.reason_code})`);
    if (verdict.reason_code === "kill_switch")
      return stoppedBefore("decisions", verdict.kill_switch_id ?? null);
    return notOk("decisions", "fail", `it denies for another reason: ${verdict.reason}`, "look at its log");
  }
  if (proof === null) return notOk("decisions", "unknown", "a policy allows the probe", GIVE_SWITCH);
  return notOk(
    "decisions",
    "fail",
    `it answers ${verdict.decision} to a call that a kill switch stops`,
    "stop agents by other means, and look at the log of svc-server",
  );
}
