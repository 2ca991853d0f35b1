import { type Answer, send } from "./api.ts";

/** Activates a switch; reason and actor are there unless said otherwise. */
export function activate(url: string, known: Readonly<Record<string, unknown>>): Promise<Answer> {
  const body = { reason: "drill", activated_by: "on-call", ...known };
  return send("POST", `${url}/v1/kill-switch`, { body });
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
