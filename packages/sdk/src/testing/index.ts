export type { Decision, ExpectedDecision } from "./decision.ts";
export { PolicyGateway, type PolicyGatewayOptions, type PolicySource } from "./policy-gateway.ts";
export { PolicyGatewayError } from "./policy-gateway-error.ts";
export { UnexpectedDecision } from "./unexpected-decision.ts";
