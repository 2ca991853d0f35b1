import {
  activatedKillSwitchSchema,
  endedKillSwitchSchema,
  killSwitchActivationSchema,
  killSwitchAnswerSchema,
  killSwitchDeactivationSchema,
  killSwitchPageSchema,
  killSwitchSchema,
  parseKillSwitchActivation,
  parseKillSwitchDeactivation,
} from "@svc/contract/kill-switch";
import { choiceParameter } from "@svc/contract/query-parameter";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";

const ID = z.strictObject({ kill_switch_id: z.string().describe("The switch.") });

const ACTIVE = {
  kill_switch_id: "ks_4c2a",
  scope: "agent",
  target_id: "demo-agent",
  account_wide: false,
  auto_recovery: false,
  status: "active",
  reason: "it refunds the same payment again and again",
  activated_by: "alice@example.com",
  trigger_source: "api",
  activated_at: "2026-11-22T03:00:00.000Z",
  expires_at: null,
  ended_at: null,
  ended_by: null,
  end_reason: null,
  propagation_ms: 3,
  stops: "every call of agent demo-agent",
  remaining_seconds: null,
} as const;

const ACTIVATED = {
  kind: "activated",
  ...ACTIVE,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: 2.4 }],
  enforced: true,
  extended: false,
  affected: { agents: ["demo-agent"], sessions: ["s-1"], complete: true },
} as const;

const ENDED = {
  ...ACTIVE,
  status: "inactive",
  ended_at: "2026-11-22T03:20:00.000Z",
  ended_by: "alice@example.com",
  end_reason: "the loop is mended",
  stops: "nothing: it has ended",
  end_propagation_ms: 4,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: 1.9 }],
} as const;

export const killSwitchRoutes = {
  activateKillSwitch: route({
    method: "POST",
    path: "/kill-switch",
    tag: "Kill switches",
    summary: "Activate a kill switch",
    description:
      "Stops the calls of a session, an agent, a tool or a namespace, or every call of the organization. " +
      "Gateways have 100 ms to acknowledge and to say who is affected. The answer says which acknowledged, " +
      "and comes sooner when all did. An active switch on the same target is answered with 200, and gets " +
      "the later end of both.",
    ...scoped("kill_switch:write", "switch"),
    body: jsonBody(killSwitchActivationSchema, parseKillSwitchActivation, {
      scope: "agent",
      target_id: "demo-agent",
      reason: ACTIVE.reason,
      activated_by: ACTIVE.activated_by,
    }),
    idempotency: "answer",
    answers: {
      200: answer(
        "A switch on this target was active before, or this was a dry run.",
        killSwitchAnswerSchema,
        ACTIVATED,
      ),
      201: answer("The switch is active.", activatedKillSwitchSchema, ACTIVATED),
    },
    problems: ["limit_reached"],
  }),
  listKillSwitches: route({
    method: "GET",
    path: "/kill-switch",
    tag: "Kill switches",
    summary: "List kill switches",
    description: "An active account-wide switch comes first, because it stops everything; then the newest.",
    ...scoped("kill_switch:read", "read"),
    query: z.strictObject({
      status: choiceParameter(["active", "inactive", "all"], "all").describe("Which switches."),
      ...PAGE,
    }),
    answers: {
      200: page("A page of switches.", killSwitchPageSchema, { kill_switches: [ACTIVE] }),
    },
  }),
  getKillSwitch: route({
    method: "GET",
    path: "/kill-switch/{kill_switch_id}",
    tag: "Kill switches",
    summary: "Read a kill switch",
    description: "A switch of this organization, active or ended.",
    ...scoped("kill_switch:read", "read"),
    params: ID,
    answers: { 200: answer("The switch.", killSwitchSchema, ACTIVE) },
    problems: ["not_found"],
  }),
  deactivateKillSwitch: route({
    method: "DELETE",
    path: "/kill-switch/{kill_switch_id}",
    tag: "Kill switches",
    summary: "End a kill switch",
    description: "Lets the calls go on. Ending a switch that has ended changes nothing.",
    ...scoped("kill_switch:write", "switch"),
    params: ID,
    body: jsonBody(
      killSwitchDeactivationSchema,
      parseKillSwitchDeactivation,
      { reason: "the loop is mended", deactivated_by: "alice@example.com" },
      {
        refusal:
          "Expected a JSON body that says why and who, found none. With curl: " +
          `-X DELETE -H 'content-type: application/json' -d '{"reason":"...","deactivated_by":"..."}'`,
      },
    ),
    answers: { 200: answer("The switch has ended.", endedKillSwitchSchema, ENDED) },
    problems: ["not_found"],
  }),
} as const;
