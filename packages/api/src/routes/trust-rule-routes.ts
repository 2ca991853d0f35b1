import {
  parseTrustRuleCreation,
  trustRuleCreationSchema,
  trustRulePageSchema,
  trustRuleSchema,
} from "@svc/contract/trust-rule";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ trust_rule_id: z.string().describe("The trust rule.") });

const SETTINGS = {
  name: "deployments of acme",
  issuer: "https://token.actions.githubusercontent.com",
  audience: "https://svc.example.com",
  subject: "repo:acme/deployments:environment:production",
  role: "ci",
} as const;

const RULE = {
  id: "trust_5c2a9f3e1b7d",
  ...SETTINGS,
  jwks_uri: null,
  claims: null,
  agents: null,
  namespaces: null,
  environments: null,
  lifetime_seconds: 600,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  removed_at: null,
  removed_by: null,
  warnings: [],
} as const;

const REMOVED = { ...RULE, removed_at: "2027-03-01T09:00:00.000Z", removed_by: "3f9c1e2a7b4d" } as const;

const READS = { access: { kind: "scope", scope: "key:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "key:write" }, rateClass: "write" } as const;

export const trustRuleRoutes = {
  createTrustRule: route({
    method: "POST",
    path: "/trust-rules",
    tag: "Keys",
    summary: "Trust tokens of an issuer",
    description:
      "A program that has such a token exchanges it for a key (`POST token`). A rule gives no more than a " +
      "key that its maker could make. A rule that admits everybody is refused. `warnings` says whom else a " +
      "rule admits.",
    ...WRITES,
    body: jsonBody(trustRuleCreationSchema, parseTrustRuleCreation, SETTINGS),
    idempotency: "answer",
    answers: {
      201: answer("It admits tokens.", trustRuleSchema, RULE, ["location"]),
    },
    problems: ["limit_reached"],
  }),
  listTrustRules: route({
    method: "GET",
    path: "/trust-rules",
    tag: "Keys",
    summary: "List trust rules",
    description: "Newest first. Those that were removed stay in the list.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of trust rules.", trustRulePageSchema, { trust_rules: [RULE] }),
    },
  }),
  getTrustRule: route({
    method: "GET",
    path: "/trust-rules/{trust_rule_id}",
    tag: "Keys",
    summary: "Read a trust rule",
    description: "Also one that was removed.",
    ...READS,
    params: ID,
    answers: { 200: answer("The trust rule.", trustRuleSchema, RULE) },
    problems: ["not_found"],
  }),
  removeTrustRule: route({
    method: "DELETE",
    path: "/trust-rules/{trust_rule_id}",
    tag: "Keys",
    summary: "Remove a trust rule",
    description:
      "It admits no token any more. Keys that it has given end by themselves within `lifetime_seconds`. " +
      "Removing it again answers the same record.",
    ...WRITES,
    params: ID,
    answers: { 200: answer("It is removed.", trustRuleSchema, REMOVED) },
    problems: ["not_found"],
  }),
} as const;
