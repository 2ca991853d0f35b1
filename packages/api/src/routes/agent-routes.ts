import {
  AGENT_STATUSES,
  agentAdoptionSchema,
  agentPageSchema,
  agentRegistrationSchema,
  agentSchema,
  agentSessionPageSchema,
  agentUpdateSchema,
  changedAgentSchema,
  parseAgentAdoption,
  parseAgentRegistration,
  parseAgentUpdate,
  removedAgentSchema,
} from "@svc/contract/agent";
import { MAX_AGENT_LABEL_LENGTH } from "@svc/contract/agent-limits";
import { agentRemovalSchema, parseAgentRemoval } from "@svc/contract/agent-removal";
import { MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from "@svc/contract/limits";
import { namesParameter, wordsParameter } from "@svc/contract/query-parameter";
import { SEVERITIES } from "@svc/contract/severity";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, route } from "../route.ts";
import { AGENT_EXAMPLE } from "./agent-example.ts";

const ID = z.strictObject({ agent_id: z.string().describe("The agent.") });

const ACKNOWLEDGED = { gateways: [{ id: "gw_1f0c", acknowledged_ms: 2.4 }], enforced: true } as const;
const CHANGED = { ...AGENT_EXAMPLE, ...ACKNOWLEDGED } as const;
const INDEXED = { complete: true, behind: [] } as const;

const REGISTERED = {
  description: "It is registered.",
  schema: changedAgentSchema,
  example: CHANGED,
  headers: ["location"],
} as const;

const READS = { access: { kind: "scope", scope: "agent:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "agent:write" }, rateClass: "write" } as const;

const TAG_EXPECTATION = `expected one tag of 1 to ${String(MAX_AGENT_LABEL_LENGTH)} characters`;
const TEXT_EXPECTATION = `expected a text of 1 to ${String(MAX_SEARCH_LENGTH)} characters`;

export const agentRoutes = {
  registerAgent: route({
    method: "POST",
    path: "/agents",
    tag: "Agents",
    summary: "Register an agent",
    description:
      "An agent may call without being registered. Once it is, the namespace of its calls is that of the " +
      "registration: a call that names none gets it, and a call that names another is denied. The answer " +
      "comes when every gateway has acknowledged, or after 100 ms, and says which did.",
    ...WRITES,
    body: jsonBody(agentRegistrationSchema, parseAgentRegistration, {
      id: "billing-bot",
      namespace: "payments",
      tags: ["prod"],
    }),
    idempotency: "answer",
    answers: { 201: REGISTERED },
    problems: ["conflict", "limit_reached"],
  }),
  listAgents: route({
    method: "GET",
    path: "/agents",
    tag: "Agents",
    summary: "List agents",
    description:
      "By id: those that are registered, and those that have called or send heartbeats without being " +
      "registered, with status `discovered`. Different filters must all match. A page can be short " +
      "although the list goes on; `next_cursor` says so.",
    ...READS,
    query: z.strictObject({
      id: namesParameter("Agents with these ids.", MAX_PAGE_SIZE),
      severity: wordsParameter(SEVERITIES, "Agents whose worst session has one of these severities."),
      status: wordsParameter(AGENT_STATUSES, "Agents with one of these statuses."),
      namespace: namesParameter("Agents in these namespaces."),
      tag: z
        .string()
        .min(1, { error: TAG_EXPECTATION })
        .max(MAX_AGENT_LABEL_LENGTH, { error: TAG_EXPECTATION })
        .regex(/^[^\p{Cc},]+$/u, { error: TAG_EXPECTATION })
        .optional()
        .describe("Registered agents with this tag."),
      q: z
        .string()
        .min(1, { error: TEXT_EXPECTATION })
        .max(MAX_SEARCH_LENGTH, { error: TEXT_EXPECTATION })
        .regex(/^\P{Cc}*$/u, { error: TEXT_EXPECTATION })
        .optional()
        .describe(
          "A text in the id, the name or the provider, whatever its case. No character is a wildcard.",
        ),
      ...PAGE,
    }),
    answers: {
      200: answer(
        "A page of agents.",
        agentPageSchema,
        { agents: [AGENT_EXAMPLE], next_cursor: null, indexed: INDEXED },
        ["link"],
      ),
    },
  }),
  getAgent: route({
    method: "GET",
    path: "/agents/{agent_id}",
    tag: "Agents",
    summary: "Read an agent",
    description: "A registered agent, or one that has called or sends heartbeats.",
    ...READS,
    params: ID,
    answers: { 200: answer("The agent.", agentSchema, AGENT_EXAMPLE) },
    problems: ["not_found"],
  }),
  updateAgent: route({
    method: "PATCH",
    path: "/agents/{agent_id}",
    tag: "Agents",
    summary: "Change the registration of an agent",
    description:
      "What the body leaves out stays as it is; the id never changes. A new `namespace` moves the agent: " +
      "every call that is answered after the acknowledgement is governed there, also one that began before.",
    ...WRITES,
    params: ID,
    body: jsonBody(agentUpdateSchema, parseAgentUpdate, { namespace: "payments-eu" }),
    answers: { 200: answer("It is changed.", changedAgentSchema, CHANGED) },
    problems: ["not_found", "conflict", "limit_reached"],
  }),
  deleteAgent: route({
    method: "DELETE",
    path: "/agents/{agent_id}",
    tag: "Agents",
    summary: "Remove the registration of an agent",
    description:
      "Its calls may name any namespace afterwards. Refused while it is in quarantine, which would end " +
      "unseen, and while it is the parent of other agents.",
    ...WRITES,
    params: ID,
    body: jsonBody(agentRemovalSchema, parseAgentRemoval, { reason: "the project has ended" }, { value: {} }),
    answers: {
      200: {
        description: "It is no longer registered.",
        schema: removedAgentSchema,
        example: {
          id: "billing-bot",
          removed: true,
          effect: "Agent billing-bot may call in any namespace that its key is not kept out of.",
          ...ACKNOWLEDGED,
        },
      },
    },
    problems: ["not_found", "conflict"],
  }),
  adoptAgent: route({
    method: "POST",
    path: "/agents/{agent_id}/adopt",
    tag: "Agents",
    summary: "Register an agent that is discovered",
    description:
      "Registers a discovered agent in the namespace of its latest call, unless the body names another one.",
    ...WRITES,
    params: ID,
    body: jsonBody(agentAdoptionSchema, parseAgentAdoption, { tags: ["prod"] }, { value: {} }),
    idempotency: "answer",
    answers: { 201: REGISTERED },
    problems: ["not_found", "conflict", "limit_reached"],
  }),
  listAgentSessions: route({
    method: "GET",
    path: "/agents/{agent_id}/sessions",
    tag: "Agents",
    summary: "List the sessions of an agent",
    description:
      "By their latest row in the audit log, newest first. `GET agents/{agent_id}/sessions/{session_id}` " +
      "shows one of them.",
    ...READS,
    params: ID,
    query: z.strictObject(PAGE),
    answers: {
      200: {
        description: "A page of sessions.",
        schema: agentSessionPageSchema,
        example: {
          sessions: [
            {
              session_id: "s-1",
              rows: 12,
              first_at: "2026-11-22T08:00:00.000Z",
              last_at: "2026-11-22T09:00:00.000Z",
            },
          ],
          next_cursor: null,
          counted_all: true,
          indexed: INDEXED,
        },
        headers: ["link"],
      },
    },
    problems: ["not_found"],
  }),
} as const;
