// Runs every case of one framework: node run-cases.ts <framework> <address of the scripted gateway>. Prints
// one JSON.
import { SvcClient } from "@svc/client";
import { CASES, type Case, callsOf } from "./cases.ts";
import type { Driver, Seen, Stage } from "./driver.ts";

/** Milliseconds for a verdict that never comes, and for one that does. */
const SHORT_TIMEOUT_MS = 50;
const LONG_TIMEOUT_MS = 30_000;

const [framework = "", address = ""] = process.argv.slice(2);

class RaisingClient extends SvcClient {
  override decide(): never {
    throw new Error("the client broke");
  }
}
class RejectingClient extends SvcClient {
  override decide(): Promise<never> {
    return Promise.reject(new Error("the client broke"));
  }
}
class SilentClient extends SvcClient {
  override decide(): Promise<never> {
    return new Promise(() => {});
  }
}
class EmptyClient extends SvcClient {
  override decide(): Promise<never> {
    return Promise.resolve(undefined as never);
  }
}

const CLIENTS = {
  raises: RaisingClient,
  rejects: RejectingClient,
  silent: SilentClient,
  empty: EmptyClient,
  sound: SvcClient,
};

function stageOf(name: string, { client = "sound", calls = "one" }: Partial<Case>) {
  const ran: unknown[] = [];
  const baseUrl =
    name === "refused" ? "http://127.0.0.1:1" : `${address}/${framework}/${encodeURIComponent(name)}`;
  const own = new CLIENTS[client]({
    baseUrl,
    timeoutMs: name === "hang" || client === "silent" ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS,
  });
  const pay = (args: unknown): string => {
    ran.push(args);
    return `paid ${String((args as { amount: unknown }).amount)}`;
  };
  const stage: Stage = { client: own, calls: callsOf(calls), pay };
  return { ran, stage };
}

const errorText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : "?";

async function runCase(driver: Driver, name: string, one: Case) {
  const { ran, stage } = stageOf(name, one);
  const facts = ({ read, paused }: Seen) => ({ read, paused, ran: ran.splice(0) });
  try {
    const first = await driver.run(stage);
    const seen = facts(first);
    const resumed = one.resumed === undefined || !seen.paused ? undefined : await first.resume?.();
    return { ...seen, resumed: resumed === undefined ? null : facts(resumed), error: null };
  } catch (error) {
    return { read: [], paused: false, ran, resumed: null, error: errorText(error) };
  } finally {
    await stage.client.settled();
  }
}

async function runTrap(driver: Driver, name: string) {
  const { ran, stage } = stageOf(name, {});
  try {
    await driver.traps[name]?.(stage);
    return { ran, error: null };
  } catch (error) {
    return { ran, error: errorText(error) };
  } finally {
    await stage.client.settled();
  }
}

const { driver } = (await import(`./${framework}.driver.ts`)) as { driver: Driver };
const cases: Record<string, unknown> = {};
for (const [name, one] of Object.entries(CASES)) cases[name] = await runCase(driver, name, one);
const traps: Record<string, unknown> = {};
for (const name of Object.keys(driver.traps)) traps[name] = await runTrap(driver, name);
process.stdout.write(`${JSON.stringify({ cases, traps })}\n`, () => process.exit(0));
