import { randomBytes } from "node:crypto";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { GatewayApi } from "../api/gateway-api.ts";
import { activateSwitch, type DrillSwitch, endSwitch, endSwitchesOf } from "../api/kill-switches.ts";
import type { CallerOptions } from "../caller.ts";
import { DrillFault } from "../drill-fault.ts";
import type { Check } from "../judge/check.ts";
import { judgePropagation, judgeReported, judgeStop } from "../judge/judge-kill.ts";
import type { Observation } from "../observation.ts";
import { pause } from "../pause.ts";
import type { DrillReport } from "../report/drill-report.ts";
import { makeReport, startReport } from "../report/make-report.ts";
import { type DrillContext, everyCallerSees } from "./drill-context.ts";
import { reasonToEnd } from "./reason-to-end.ts";
import { withCallers } from "./with-callers.ts";

/** Seconds after which the switch ends by itself, when the drill can no longer end it. */
const NET_TTL_SECONDS = 60;

/** Pause in milliseconds between calls through one address. Each call adds a row to the log. */
const PAUSE_MS = 20;

/** Milliseconds in which each address must answer, or the drill measures nothing. */
const SEEN_WITHIN_MS = 5_000;

export interface DeploymentKillOptions {
  /** Its control API. */
  readonly url: URL;
  /** Where its gateways are asked. */
  readonly gatewayUrls: readonly URL[];
  readonly apiKey: string | null;
  readonly targetMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/**
 * Stops an agent that nobody has, and asks every gateway about its calls before and after. The switch is
 * ended however the drill ends. @throws DrillFault when the deployment cannot be asked
 */
export async function runDeploymentKill(options: DeploymentKillOptions): Promise<DrillReport> {
  const { url, gatewayUrls, apiKey, targetMs, signal, onProgress } = options;
  const started = startReport();
  const control = new GatewayApi(url, apiKey);
  const gateways = gatewayUrls.map((each) => new GatewayApi(each, apiKey));
  const versions = await versionsOf([control, ...gateways]);
  const agent = `svc-drill-${randomBytes(16).toString("hex")}`;
  for (const gateway of gateways) await requireVerdict(gateway, agent);
  const context: DrillContext = { signal, onProgress, checks: [], targetMs };
  let endedEarly: string | null = null;
  try {
    await killMadeUp({ control, gateways, agent }, context);
  } catch (error) {
    endedEarly = reasonToEnd(error, signal);
  }
  const description = `${url.host} through ${gatewayUrls.map(({ host }) => host).join(", ")}`;
  return makeReport({
    ...started,
    drill: "kill",
    subject: { kind: "deployment", description, versions },
    settings: { addresses: gatewayUrls.length, target_ms: targetMs },
    endedEarly,
    checks: context.checks,
  });
}

interface Deployment {
  readonly control: GatewayApi;
  readonly gateways: readonly GatewayApi[];
  readonly agent: string;
}

const SUBJECT = "a made-up agent";

async function killMadeUp({ control, gateways, agent }: Deployment, context: DrillContext): Promise<void> {
  const { signal, checks, onProgress } = context;
  const options = gateways.map((api): CallerOptions => {
    return { apiOf: () => api, gateway: null, call: callOf(agent), pauseMs: PAUSE_MS };
  });
  await withCallers(options, async (callers) => {
    onProgress("calls before the kill");
    await everyCallerSees(callers, ["allowed", "ruled"], { withinMs: SEEN_WITHIN_MS, signal });
    signal.throwIfAborted();
    onProgress("kill");
    const target = { scope: "agent", target_id: agent, ttl_seconds: NET_TTL_SECONDS } as const;
    const activation = await activateSwitch(control, target).catch(async (error: unknown) => {
      // The switch may be there although its answer is not.
      checks.push(await cleaned(() => endSwitchesOf(control, agent)));
      throw error;
    });
    let endedAtMs = 0;
    try {
      await pause(activation.enforced ? 0 : CONTROL_LEASE_MS, signal);
      await everyCallerSees(callers, ["stopped"], { withinMs: SEEN_WITHIN_MS, signal });
    } finally {
      endedAtMs = performance.now();
      checks.push(await cleaned(() => endSwitch(control, activation.id)));
    }
    const observations = callers.flatMap((caller) => caller.observations);
    judgeAll({ activation, endedAtMs, observations }, context);
  });
}

/** Nothing here waits for the signal: the switch is ended also when the drill was interrupted. */
async function cleaned(end: () => Promise<void>): Promise<Check> {
  const base = { id: "cleaned_up", subject: SUBJECT, gateway: null, figures: {} };
  try {
    await end();
    return { ...base, verdict: "passed", detail: "the drill's switch was ended" };
  } catch (error) {
    if (!(error instanceof DrillFault)) throw error;
    const rest = `it ends by itself after ${NET_TTL_SECONDS} s, and stops no real agent`;
    return {
      ...base,
      verdict: "failed",
      detail: `the drill's switch may be active: ${error.message}; ${rest}`,
    };
  }
}

interface Measured {
  readonly activation: DrillSwitch;
  readonly endedAtMs: number;
  readonly observations: readonly Observation[];
}

function judgeAll(
  { activation, endedAtMs, observations }: Measured,
  { checks, targetMs }: DrillContext,
): void {
  const listed = [...activation.acknowledged.keys()];
  checks.push(judgeReported({ activation, subject: SUBJECT }, { gateways: listed, targetMs }));
  for (const gateway of new Set([...listed, ...observations.map((one) => one.gateway)])) {
    const own = observations.filter((one) => one.gateway === gateway);
    if (own.length === 0) {
      checks.push(unseen(gateway));
      continue;
    }
    const window = { gateway, subject: SUBJECT, activation, endedAtMs, observations: own };
    checks.push(judgeStop(window), judgePropagation(window, targetMs));
  }
}

function unseen(gateway: string): Check {
  const detail = `no call reached ${gateway}; name its address with --gateway-url`;
  return {
    id: "every_gateway_seen",
    subject: SUBJECT,
    gateway,
    verdict: "not_measured",
    figures: {},
    detail,
  };
}

const callOf = (agent: string) => ({ agent_id: agent, session_id: agent, tool: "svc.drill" });

/** A key that may not send calls would look like a gateway that answers nothing. @throws DrillFault */
async function requireVerdict(gateway: GatewayApi, agent: string): Promise<void> {
  await gateway.request("POST", "/api/v1/gateway/execute", callOf(agent));
}

async function versionsOf(apis: readonly GatewayApi[]): Promise<Readonly<Record<string, string | null>>> {
  const named = apis.map(async (api) => {
    const { version } = await api.request("GET", "/version");
    return [api.url.host, typeof version === "string" ? version : null] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}
