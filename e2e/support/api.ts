/** A verdict or problem as it came over the wire, with its status. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends one JSON request. @throws only on transport errors. */
export async function send(method: string, url: string, body?: unknown): Promise<Answer> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(url, { method, ...init });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Creates a policy from YAML. */
export async function createPolicy(url: string, yaml: string): Promise<Answer> {
  const headers = { "content-type": "application/yaml" };
  const response = await fetch(`${url}/api/v1/policies`, { method: "POST", headers, body: yaml });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export function execute(url: string, known: Record<string, unknown> = {}): Promise<Answer> {
  const request = {
    agent_id: "agent-1",
    session_id: "s-1",
    tool: "payments.refund",
    args: { amount: 10 },
    ...known,
  };
  return send("POST", `${url}/api/v1/gateway/execute`, request);
}
