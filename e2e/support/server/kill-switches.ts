import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { type Answer, send } from "./api.ts";

/** Activates a switch; reason and actor are there unless said otherwise. */
export function activate(url: string, known: Readonly<Record<string, unknown>>): Promise<Answer> {
  const body = { reason: "drill", activated_by: "on-call", ...known };
  return send("POST", `${url}/v1/kill-switch`, { body });
}

/**
 * Activates a switch, and resolves when every known gateway has acknowledged it, with the answer that says
 * so. A gateway on a busy machine may acknowledge later than the first answer waits for it: a repeat answers
 * with the same switch and asks again. How long gateways take is a figure of `bench --only kill-fan-out`.
 * @throws when the switch is refused, or is not acknowledged in time
 */
export function activateEnforced(url: string, known: Readonly<Record<string, unknown>>): Promise<Answer> {
  return untilEnforced(() => activate(url, known));
}

/** The same for a test that asks in its own way. @param ask activates the switch, or repeats that */
export async function untilEnforced(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + CONDITION_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status >= 400 || performance.now() > deadline)
      throw new Error(`expected an enforced switch, found ${JSON.stringify(answer)}`);
    if (answer.body["enforced"] === true) return answer;
  }
}

export function deactivate(url: string, id: unknown): Promise<Answer> {
  const body = { reason: "over", deactivated_by: "on-call" };
  return send("DELETE", `${url}/v1/kill-switch/${String(id)}`, { body });
}

/** The ids of the switches with a status. */
export async function listed(
  url: string,
  status: "active" | "inactive" | "all",
): Promise<readonly unknown[]> {
  const { body } = await send("GET", `${url}/v1/kill-switch?status=${status}`);
  return (body["kill_switches"] as Record<string, unknown>[]).map(({ kill_switch_id }) => kill_switch_id);
}
