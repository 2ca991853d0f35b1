import { type DecisionClient, type DecisionClientPorts, decideOverExchange } from "./decide-over-exchange.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { createGatewayExchange } from "./gateway-exchange.ts";

export type { DecisionClient };

/**
 * The client of an adapter that runs on.
 * @throws if the settings are not usable. The client itself never throws and never rejects.
 */
export function createDecisionClient(
  settings: DecisionClientSettings,
  ports: DecisionClientPorts,
): DecisionClient {
  return decideOverExchange(createGatewayExchange(settings), settings, ports);
}
