import type { trustRuleRoutes } from "@svc/api/trust-rule-routes";
import {
  createTrustRule,
  getTrustRule,
  listTrustRules,
  removeTrustRule,
} from "@svc/control-plane/trust-rules";
import type { Handlers } from "./handler.ts";
import { created, found, listed, pageOf } from "./reply-found.ts";

export const trustRuleHandlers: Handlers<typeof trustRuleRoutes> = {
  createTrustRule: async ({ body }, { ports, principal }) =>
    created("trust-rules", await createTrustRule(ports, principal, body)),
  listTrustRules: async ({ query }, { ports, principal }) =>
    listed("trust_rules", await listTrustRules(ports, principal, pageOf(query))),
  getTrustRule: async ({ params }, { ports, principal }) =>
    found(await getTrustRule(ports, principal, params.trust_rule_id)),
  removeTrustRule: async ({ params }, { ports, principal }) =>
    found(await removeTrustRule(ports, principal, params.trust_rule_id)),
};
