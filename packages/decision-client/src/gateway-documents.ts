import type { DecisionClientSettings } from "./decision-client-settings.ts";
import {
  DOCUMENT_TIMEOUT_MS,
  documentsOverExchange,
  type GatewayDocuments,
} from "./documents-over-exchange.ts";
import { createGatewayExchange } from "./gateway-exchange.ts";

export type { GatewayDocuments };

/** Opens no connection before the first request. */
export function createGatewayDocuments(settings: DecisionClientSettings): GatewayDocuments {
  return documentsOverExchange(createGatewayExchange({ ...settings, timeoutMs: DOCUMENT_TIMEOUT_MS }));
}
