import { MisdirectedAnswer, RequestNames, requestNamedBy } from "@svc/decision-client/request-names";
import type { ClientSettings } from "./client-settings.ts";
import { inProcessGateway } from "./in-process-gateway.ts";

export interface GatewayRequest {
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey?: string | undefined;
  readonly signal: AbortSignal;
}

/** All clients of the process have it in common, so no two requests of it have the same name. */
const names = new RequestNames();

/** Sends one request to the gateway. Rejects when no answer begins, and for an answer to another request. */
export async function postToGateway(
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
  const name = names.next();
  headers["x-request-id"] = name;
  // A redirect would send the key to another address, and another server would decide.
  const answer = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers,
    body,
    signal,
    redirect: "manual",
  });
  if (requestNamedBy(answer.headers.get("x-request-id"), name) !== "another") return answer;
  await answer.body?.cancel();
  throw new MisdirectedAnswer();
}
