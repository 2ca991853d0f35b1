import { agentgatewayRequest, agentgatewayResponse } from "./agentgateway.ts";
import type { DialectName } from "./dialect-name.ts";
import type { Dialect } from "./guardrail-request.ts";
import { litellm } from "./litellm.ts";
import { portkey } from "./portkey.ts";

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  portkey,
  litellm,
  agentgateway_request: agentgatewayRequest,
  agentgateway_response: agentgatewayResponse,
};
