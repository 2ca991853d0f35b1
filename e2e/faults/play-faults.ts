import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseLink } from "@svc/store/testing/database-link";
import type { FaultyGateway } from "./faulty-gateway.ts";
import type { Fault } from "./judge/trace.ts";
import type { FaultAct, PlannedFault, Round } from "./plan.ts";
import type { Stage } from "./stage.ts";
import type { SteadyCalls } from "./steady-calls.ts";

/** Milliseconds between two changes of a link that flaps. */
const FLAP_MS = 120;

/** Longest wait for every gateway to allow again: longer than it may take, so that lateness is measured. */
const RECOVERY_WAIT_MS = 15_000;

const POLL_MS = 20;

/** Plays the rounds one after another, each when every gateway is back from the one before. */
export async function playFaults(
  rounds: readonly Round[],
  stage: Stage,
  calls: SteadyCalls,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const round of rounds) {
    faults.push(...(await Promise.all(round.map((planned) => play(planned, stage)))));
    await everyoneBack(stage, calls);
  }
  return faults;
}

async function everyoneBack({ gateways }: Stage, { lastAllowMs }: SteadyCalls): Promise<void> {
  const sinceMs = performance.now();
  const isBack = ({ id }: FaultyGateway) => (lastAllowMs.get(id) ?? 0) > sinceMs;
  while (!gateways.every(isBack) && performance.now() < sinceMs + RECOVERY_WAIT_MS) await delay(POLL_MS);
}

type Times = Pick<Fault, "beganMs" | "inForceMs" | "liftedMs" | "endedMs">;

async function play({ target, act, afterMs }: PlannedFault, stage: Stage): Promise<Fault> {
  await delay(afterMs);
  const gateway = stage.gateways.find(({ id }) => id === target);
  const times = await (gateway === undefined ? strikeDatabase(act, stage) : strikeGateway(act, gateway));
  return { kind: nameOf(act), target, isolates: isolates(act), ...times };
}

function nameOf(act: FaultAct): string {
  return act.kind === "partition" ? `partition, ${act.shape}` : act.kind;
}

function isolates(act: FaultAct): boolean {
  switch (act.kind) {
    case "partition":
      return act.shape !== "flapping" && act.shape !== "some connections";
    case "database freeze":
    case "database restart":
      return true;
    case "SIGSTOP":
    case "kill -9":
      return false;
  }
}

function strikeGateway(act: FaultAct, gateway: FaultyGateway): Promise<Times> {
  switch (act.kind) {
    case "partition":
      return breakLink(act.shape, gateway.link, act.durationMs);
    case "SIGSTOP":
      return during(act.durationMs, {
        begin: () => gateway.signal("SIGSTOP"),
        end: () => gateway.signal("SIGCONT"),
      });
    case "kill -9":
      return killAndRun(gateway);
    case "database freeze":
    case "database restart":
      throw new Error(`${act.kind} is not a fault of a gateway`);
  }
}

function strikeDatabase(act: FaultAct, { postgres }: Stage): Promise<Times> {
  if (act.kind === "database freeze")
    return during(act.durationMs, {
      begin: () => postgres.signal("SIGSTOP"),
      end: () => postgres.signal("SIGCONT"),
    });
  if (act.kind !== "database restart") throw new Error(`${act.kind} is not a fault of the database`);
  return during(act.durationMs, { begin: () => postgres.crash(), end: () => postgres.restart() });
}

interface Acts {
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

async function during(durationMs: number, { begin, end }: Acts): Promise<Times> {
  const beganMs = performance.now();
  await begin();
  const inForceMs = performance.now();
  await delay(durationMs);
  const liftedMs = performance.now();
  await end();
  return { beganMs, inForceMs, liftedMs, endedMs: performance.now() };
}

/** Recovery counts from the kill, and so contains the start of the next process. */
async function killAndRun(gateway: FaultyGateway): Promise<Times> {
  const beganMs = performance.now();
  await gateway.kill();
  await gateway.run();
  return { beganMs, inForceMs: beganMs, liftedMs: beganMs, endedMs: beganMs };
}

type Shape = Extract<FaultAct, { kind: "partition" }>["shape"];

function breakLink(shape: Shape, link: DatabaseLink, durationMs: number): Promise<Times> {
  const end = () => link.mend();
  switch (shape) {
    case "both ways":
      return during(durationMs, { begin: () => link.freeze(), end });
    case "to database":
    case "from database":
      return during(durationMs, { begin: () => link.freeze([shape]), end });
    case "refused":
      return during(durationMs, { begin: () => link.cut(), end });
    case "some connections":
      return during(durationMs, { begin: () => link.freezeSome(), end });
    case "flapping":
      return flap(link, durationMs);
  }
}

async function flap(link: DatabaseLink, durationMs: number): Promise<Times> {
  const beganMs = performance.now();
  for (let turn = 0; performance.now() < beganMs + durationMs; turn += 1) {
    await (turn % 4 === 2 ? link.cut() : link.freeze());
    await delay(FLAP_MS);
    await link.mend();
    await delay(FLAP_MS);
  }
  const endedMs = performance.now();
  return { beganMs, inForceMs: beganMs, liftedMs: endedMs, endedMs };
}
