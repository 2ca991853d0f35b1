import { expect } from "vitest";
import { type Answer, callOf, PAYMENTS_POLICY } from "./api.ts";
import { BOOTSTRAP_ENV, type Client, operatorOf } from "./api-keys.ts";
import { serverOfTest } from "./server-process.ts";

/** Calls that are under way at once. */
const AT_ONCE = 8;

/** A server that asks for keys, with a policy, and the client that holds its bootstrap key. */
export async function serverWithPolicy() {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  expect((await operator("POST", "policies", { yaml: PAYMENTS_POLICY })).status).toBe(201);
  return { server, operator };
}

export const execute = (client: Client, known: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  client("POST", "gateway/execute", { json: callOf(known) });

interface Timed {
  readonly beganMs: number;
  readonly status: number;
}

/** Calls that keep coming until they are stopped. Each asks for the client that it is to use. */
export function keepCalling(client: () => Client) {
  const answers: Timed[] = [];
  let running = true;
  const work = async (): Promise<void> => {
    while (running) {
      const beganMs = performance.now();
      answers.push({ beganMs, status: (await execute(client())).status });
    }
  };
  const workers = Array.from({ length: AT_ONCE }, work);
  const since = (ms: number) => answers.filter(({ beganMs }) => beganMs >= ms);
  const stop = async (): Promise<readonly Timed[]> => {
    running = false;
    await Promise.all(workers);
    return answers;
  };
  return { since, stop };
}

export const untilCalled = (calls: ReturnType<typeof keepCalling>, sinceMs: number) =>
  expect.poll(() => calls.since(sinceMs).length, { timeout: 20_000 }).toBeGreaterThan(100);
