import type { ClientSettings } from "./client-settings.ts";
import { inProcessGateway } from "./in-process-gateway.ts";

export interface GatewayRequest {
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey?: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends one request to the gateway. Rejects when no answer begins. */
export function postToGateway(
  { baseUrl, apiKey, orgId }: ClientSettings,
  { path, body, idempotencyKey, signal }: GatewayRequest,
): Promise<Response> {
  const inProcess = inProcessGateway();
  if (inProcess !== null)
    return inProcess({
      path,
      body,
      idempotencyKey: idempotencyKey ?? null,
      baseUrl,
      hasKey: apiKey !== null,
    });
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    // A verdict is small, and an encoded one is not read.
    "accept-encoding": "identity",
  };
  if (apiKey !== null) headers["authorization"] = `Bearer ${apiKey}`;
  if (orgId !== null) headers["x-svc-org-id"] = orgId;
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  // A redirect would send the key to another address, and another server would decide.
  return fetch(`${baseUrl}${path}`, { method: "POST", headers, body, signal, redirect: "manual" });
}
