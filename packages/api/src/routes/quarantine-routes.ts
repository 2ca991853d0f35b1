import { changedAgentSchema, quarantineAnswerSchema, quarantinedAgentSchema } from "@svc/contract/agent";
import {
  parseQuarantineLift,
  parseQuarantineRequest,
  quarantineLiftSchema,
  quarantineRequestSchema,
} from "@svc/contract/quarantine";
import { z } from "zod";
import { answer, jsonBody, route } from "../route.ts";
import { AGENT_EXAMPLE } from "./agent-example.ts";

const ID = z.strictObject({ agent_id: z.string().describe("The agent.") });

const CONTAINS = { access: { kind: "scope", scope: "agent:contain" }, rateClass: "switch" } as const;

const ACKNOWLEDGED = { gateways: [{ id: "gw_1f0c", acknowledged_ms: 2.4 }], enforced: true } as const;

const QUARANTINED = {
  kind: "quarantined",
  ...AGENT_EXAMPLE,
  quarantine: {
    reason: "it reads customers that it has no case for",
    quarantined_by: "alice@example.com",
    quarantined_at: "2026-11-22T09:00:00.000Z",
    expires_at: "2026-11-22T10:00:00.000Z",
  },
  ...ACKNOWLEDGED,
  propagation_ms: 3,
  extended: false,
  affected: { agents: ["billing-bot"], sessions: ["s-1"], complete: true },
} as const;

export const quarantineRoutes = {
  quarantineAgent: route({
    method: "POST",
    path: "/agents/{agent_id}/quarantine",
    tag: "Agents",
    summary: "Hold an agent to what it may read",
    description:
      "Until the quarantine ends, the agent may call only tools that its policy lists in `tools.read_only` " +
      "and allows, in every governance mode. The answer comes when every gateway has acknowledged, " +
      "or after 100 ms, and says which did. A repeat is answered with 200, and gets the later end of both. " +
      "With `dry_run`, nothing is limited, and the answer says who would be.",
    ...CONTAINS,
    params: ID,
    body: jsonBody(quarantineRequestSchema, parseQuarantineRequest, {
      reason: "it reads customers that it has no case for",
      quarantined_by: "alice@example.com",
      ttl_seconds: 3600,
    }),
    idempotency: "answer",
    answers: {
      200: answer(
        "The agent was in quarantine before, or this was a dry run.",
        quarantineAnswerSchema,
        QUARANTINED,
      ),
      201: answer("The agent is in quarantine.", quarantinedAgentSchema, QUARANTINED),
    },
    problems: ["not_found", "conflict", "limit_reached"],
  }),
  liftQuarantine: route({
    method: "DELETE",
    path: "/agents/{agent_id}/quarantine",
    tag: "Agents",
    summary: "Lift a quarantine",
    description: "Lets the agent call again what its policy allows. Lifting one that has ended does nothing.",
    ...CONTAINS,
    params: ID,
    body: jsonBody(
      quarantineLiftSchema,
      parseQuarantineLift,
      { reason: "the case was there, under another name", lifted_by: "alice@example.com" },
      {
        refusal:
          "Expected a JSON body that says why and who, found none. With curl: " +
          `-X DELETE -H 'content-type: application/json' -d '{"reason":"...","lifted_by":"..."}'`,
      },
    ),
    answers: {
      200: answer("The agent is not in quarantine.", changedAgentSchema, {
        ...AGENT_EXAMPLE,
        ...ACKNOWLEDGED,
      }),
    },
    problems: ["not_found", "conflict", "limit_reached"],
  }),
} as const;
