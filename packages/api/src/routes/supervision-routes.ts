import { agentHealthSchema } from "@svc/contract/agent-health";
import {
  heartbeatSchema,
  parseHeartbeat,
  parseReauthentication,
  parseReregistration,
  reauthenticationSchema,
  reregisteredSchema,
  reregistrationSchema,
  supervisionAnswerSchema,
} from "@svc/contract/heartbeat";
import { nameSchema } from "@svc/contract/name-schema";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, route, scoped } from "../route.ts";

const ID = z.strictObject({ agent_id: nameSchema.describe("The agent. It need not be registered.") });

const ANSWER = {
  agent_id: "research-agent",
  session_id: "run-42",
  severity: "INFO",
  status: "operational",
  interval_seconds: 15,
  missed_heartbeats: 0,
  reauthenticate: false,
  ended: false,
} as const;

const SESSION = {
  agent_id: "research-agent",
  session_id: "run-42",
  last_heartbeat: "2026-11-22T10:00:00.000Z",
  missed_heartbeats: 5,
  severity: "CRITICAL",
  status: "tool_calls_suspended",
  escalation_eta_seconds: 41,
} as const;

export const supervisionRoutes = {
  sendHeartbeat: route({
    method: "POST",
    path: "/agents/{agent_id}/heartbeat",
    tag: "Agents",
    summary: "Send a heartbeat of a session",
    description:
      "Supervision of a session starts with its first heartbeat, which is answered when it is stored. A " +
      "later one is answered when it is in memory, and stored within 500 ms, unless it names another " +
      "parent or the session is at CRITICAL. The settings are those of the registered namespace of the " +
      "agent, else of the one namespace that the key is bound to, else of `default`. A parent that " +
      "descends from the session is refused.",
    ...scoped("agent:heartbeat", "unlimited"),
    params: ID,
    body: jsonBody(heartbeatSchema, parseHeartbeat, { session_id: "run-42", parent_session_id: "run-41" }),
    answers: {
      200: answer("The heartbeat counts.", supervisionAnswerSchema, ANSWER),
    },
    problems: ["limit_reached", "conflict"],
  }),
  reauthenticateAgent: route({
    method: "POST",
    path: "/agents/{agent_id}/reauthenticate",
    tag: "Agents",
    summary: "Authenticate an agent again",
    description:
      "Ends CRITICAL of one session, and counts as a heartbeat of it. It takes a key that is " +
      "bound to this agent, because no other key proves who sent it. While authentication is off, every " +
      "request is taken for one of the agent.",
    ...scoped("agent:heartbeat", "write"),
    params: ID,
    body: jsonBody(reauthenticationSchema, parseReauthentication, { session_id: "run-42" }),
    answers: {
      200: answer("It is noted.", supervisionAnswerSchema, ANSWER),
    },
    problems: ["not_found", "conflict"],
  }),
  reregisterAgent: route({
    method: "POST",
    path: "/agents/{agent_id}/reregister",
    tag: "Agents",
    summary: "End the emergency of an agent",
    description:
      "The only way out of EMERGENCY. Supervision of the terminated sessions ends, and begins again with " +
      "their next heartbeat. Their kill switches go on unless `end_kill_switch` is true. At most 200 " +
      "sessions are re-registered at once.",
    ...scoped("agent:contain", "switch"),
    params: ID,
    body: jsonBody(reregistrationSchema, parseReregistration, {
      session_id: "run-42",
      reason: "The host was restarted.",
      reregistered_by: "ana@example.com",
    }),
    idempotency: "answer",
    answers: {
      200: {
        description: "The sessions are not terminated any more.",
        schema: reregisteredSchema,
        example: {
          agent_id: "research-agent",
          session_ids: ["run-42"],
          ended_kill_switches: [],
          active_kill_switches: ["ks_1f0c9a"],
          remaining: false,
        },
      },
    },
    problems: ["not_found", "conflict"],
  }),
  getAgentHealth: route({
    method: "GET",
    path: "/agents/{agent_id}/health",
    tag: "Agents",
    summary: "Read the health of an agent",
    description: "Its first members are those of its worst session.",
    ...scoped("agent:read", "read"),
    params: ID,
    query: z.strictObject({ ...PAGE }),
    answers: {
      200: {
        description: "The sessions of the agent, worst first.",
        schema: agentHealthSchema,
        example: {
          ...SESSION,
          sessions: [SESSION],
          next_cursor: null,
          quarantine: {
            reason: "It asks for customer data at night.",
            quarantined_by: "ana@example.com",
            quarantined_at: "2026-11-22T09:30:00.000Z",
            expires_at: null,
          },
          anomalies: [],
          coverage: {
            since: "2026-11-22T08:15:00.000Z",
            until: "2026-11-22T09:15:00.000Z",
            allows: 42,
            outcomes: 41,
            allows_without_outcome: 1,
            unreported_allows: 0,
            outcomes_without_decision: 0,
            complete: true,
          },
        },
        headers: ["link"],
      },
    },
    problems: ["not_found"],
  }),
} as const;
