import {
  EXCHANGED_TOKEN_KIND,
  exchangedTokenSchema,
  parseTokenExchange,
  TOKEN_EXCHANGE_GRANT,
  tokenExchangeSchema,
} from "@svc/contract/token-exchange";
import { jsonBody, route } from "../route.ts";

/** Three parts as a token has, but none that anything takes for a secret. */
const EXAMPLE_TOKEN = "header.claims.signature";

export const tokenRoutes = {
  exchangeToken: route({
    method: "POST",
    path: "/token",
    tag: "Keys",
    summary: "Exchange a token for a key of minutes",
    description:
      "A program sends the token that its platform gave it, and gets a key if a trust rule admits it " +
      "(RFC 8693). It needs no key. The body is JSON, or a form (`application/x-www-form-urlencoded`) with " +
      "the same names.",
    access: { kind: "anybody" },
    rateClass: "write",
    body: jsonBody(tokenExchangeSchema, parseTokenExchange, {
      grant_type: TOKEN_EXCHANGE_GRANT,
      subject_token: EXAMPLE_TOKEN,
    }),
    answers: {
      200: {
        description: "The key, which is shown this once.",
        schema: exchangedTokenSchema,
        example: {
          access_token: "svc_4f1d2a9b7c3e5d60718293a4_<secret>",
          ...EXCHANGED_TOKEN_KIND,
          expires_in: 600,
          expires_at: "2026-11-22T09:10:00.000Z",
          key_id: "4f1d2a9b7c3e5d60718293a4",
          org_id: "default",
          role: "ci",
          scope: "kill_switch:read policy:read policy:test",
          trust_rule_id: "trust_5c2a9f3e1b7d",
        },
      },
    },
    problems: ["token_refused", "issuer_unavailable", "limit_reached"],
  }),
} as const;
