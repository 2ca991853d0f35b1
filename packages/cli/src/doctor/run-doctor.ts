import type { Seams } from "../connection/context-file.ts";
import { ControlClient } from "../connection/control-client.ts";
import { type Connection, resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type SettingsChoice, settingsPath } from "../hook/install/settings-file.ts";
import { examineHooks } from "../hook/status/examine-hooks.ts";
import { type Check, type CheckState, describeChecks, notOk } from "./check.ts";
import {
  answeredChecks,
  askWhoIAm,
  checkClock,
  checkDecision,
  checkGateways,
  checkKey,
  checkReadiness,
  checkSwitch,
  checkVersion,
  lacks,
  type WhoAmI,
} from "./check-server.ts";
import { GIVE_SWITCH } from "./judge-seams.ts";
import {
  activateProbe,
  endProbe,
  newProbe,
  type Probe,
  type ProbeSwitch,
  probeSeams,
} from "./probe-seams.ts";
import { SeenDecisions } from "./seen-decisions.ts";

export interface DoctorOptions extends ServerOptions, OutputOptions {
  readonly envoy?: string;
  readonly mcp?: string;
  readonly forwardAuth?: string;
  readonly guardrail?: string;
  readonly hook: boolean;
  readonly agent?: string;
}

/** Looks at the server, and sends a probe through each seam. @throws CommandFailure without the server */
export async function runDoctor(options: DoctorOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  output.progress("asking the server");
  const whoAmI = await askWhoIAm(client);
  const checks = await checkServer(connection, client, whoAmI);
  output.progress("sending the probe");
  checks.push(
    ...(await withProbe(client, whoAmI, (guarded) =>
      probeAll(guarded, options, { client, whoAmI, terminal, connection }),
    )),
  );
  output.result({
    text: describeChecks(connection, checks),
    schema: "svc.cli.doctor/v1",
    json: { url: connection.url.href, checks },
    items: checks,
  });
  return outcomeOf(checks);
}

async function checkServer(connection: Connection, client: ControlClient, whoAmI: WhoAmI): Promise<Check[]> {
  const nowMs = Date.now();
  return [
    await checkReadiness(client),
    checkVersion(whoAmI),
    ...checkKey(whoAmI, nowMs),
    await checkClock(connection),
    ...(await answeredChecks("gateways", () => checkGateways(client, nowMs))),
  ];
}

/** A probe, and what a deny of it holds. */
interface Guarded {
  readonly probe: Probe;
  /** Null: no switch stops it. */
  readonly proof: string | null;
}

/** Stops the probe before it is sent, and ends the switch afterwards. */
async function withProbe(
  client: ControlClient,
  whoAmI: WhoAmI,
  send: (guarded: Guarded) => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  const probe = newProbe();
  const unguarded = async (...checks: readonly Check[]): Promise<readonly Check[]> => [
    ...checks,
    ...(await send({ probe, proof: null })),
  ];
  if (lacks(whoAmI, "kill_switch:write"))
    return unguarded(
      notOk("kill switches", "unknown", "not tried: the key may not activate one", GIVE_SWITCH),
    );
  let activated: ProbeSwitch | null = null;
  const checks = await answeredChecks("kill switches", async () => {
    activated = await activateProbe(probe, client);
    return [checkSwitch(activated)];
  });
  if (activated === null) return unguarded(...checks);
  try {
    return [...checks, ...(await send({ probe, proof: probe.proof }))];
  } finally {
    await endQuietly(activated, client);
  }
}

/** Nobody calls its tool, and it ends by itself. */
async function endQuietly(activated: ProbeSwitch, client: ControlClient): Promise<void> {
  try {
    await endProbe(activated, client);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
  }
}

interface Surroundings {
  readonly client: ControlClient;
  readonly whoAmI: WhoAmI;
  readonly terminal: Terminal;
  readonly connection: Connection;
}

async function probeAll(
  guarded: Guarded,
  options: DoctorOptions,
  { client, whoAmI, terminal, connection }: Surroundings,
): Promise<readonly Check[]> {
  const asked = lacks(whoAmI, "call:execute")
    ? [
        notOk(
          "decisions",
          "unknown",
          "not tried: the key may not ask for decisions",
          "use a key of the role admin",
        ),
      ]
    : await answeredChecks("decisions", async () => [await checkDecision(client, guarded)]);
  const seams = await probeEach(guarded, options, connection);
  return [...asked, ...seams, ...(options.hook ? await checkHooks(guarded.probe, terminal) : [])];
}

async function probeEach(
  guarded: Guarded,
  options: DoctorOptions,
  connection: Connection,
): Promise<readonly Check[]> {
  const seen = await SeenDecisions.open(connection);
  try {
    return await probeSeams(seamsOf(options, connection), {
      ...guarded,
      seen,
      agentId: options.agent ?? null,
    });
  } finally {
    seen.close();
  }
}

/** Those that the command line names; if it names none, those of the context. */
function seamsOf({ envoy, mcp, forwardAuth, guardrail }: DoctorOptions, { seams = {} }: Connection): Seams {
  const named = { envoy, mcp, forward_auth: forwardAuth, guardrail };
  return Object.values(named).some((url) => url !== undefined) ? named : seams;
}

const HOOK_STATES = { ok: "ok", note: "warn", FAIL: "fail", OPEN: "fail" } as const;

async function checkHooks({ tool }: Probe, terminal: Terminal): Promise<readonly Check[]> {
  const choice: SettingsChoice = { scope: "user" };
  const path = settingsPath(choice, terminal);
  const findings = await examineHooks(path, { probe: tool }, terminal);
  const fix = "svc-cli hook status says more; svc-cli hook install mends it";
  return findings.map(({ mark, text }) => ({
    name: "hook of Claude Code",
    state: HOOK_STATES[mark],
    found: text,
    fix: mark === "ok" ? null : fix,
  }));
}

/** A check that could not be made leaves the whole unproven. */
function outcomeOf(checks: readonly Check[]): Outcome {
  const has = (state: CheckState): boolean => checks.some((check) => check.state === state);
  if (has("fail")) return "failed";
  return has("unknown") ? "unproven" : "ok";
}
