import { systemClock } from "@svc/process/clock";
import type { EventRow } from "@svc/store/ports/event-rows";
import { expect, it } from "vitest";
import { eventsFor } from "./delivery.ts";
import { type Endpoint, endpointDestination } from "./endpoint.ts";
import { endpointOf } from "./testing/endpoint-of.ts";

const destinationOf = (changes: Partial<Endpoint> = {}) => {
  const dialer = { send: () => expect.unreachable("nothing is sent here") };
  return endpointDestination({ dialer, clock: systemClock }, endpointOf(changes));
};

const CALL = { namespace: "prod", agent_id: "a", session_id: null, tool: "t", args: {}, reason: null };
const POLICY = { rule_id: null, policy_id: null, policy_version: null, mode: null, reason_code: null };
const ROW = { v: 1, kind: "decision", time: "2026-01-01T00:00:00.000Z", org: "acme", principal: "k" };
const PAUSED = { decision: "pause", approval_id: "apr_1", would_be: null, fail_closed: false };

const paused = (data = JSON.stringify({ id: "gw.1", row: { ...ROW, ...CALL, ...POLICY, ...PAUSED } })) => {
  const about = { agentId: "a", namespace: "prod", decision: "pause" };
  return { logId: "gw", seq: 1, org: "acme", kind: "decision", ...about, data } satisfies EventRow;
};

const BOTH = ["policy.decision", "approval.requested"];

it.each<[changes: Partial<Endpoint>, types: readonly string[]]>([
  [{}, BOTH],
  [{ events: new Set(["approval.requested"]) }, ["approval.requested"]],
  [{ decisions: new Set(["deny"]) }, ["approval.requested"]],
  [{ agents: new Set(["a"]), namespaces: new Set(["prod"]) }, BOTH],
  [{ agents: new Set(["b"]) }, []],
  [{ namespaces: new Set(["test"]) }, []],
  [{ events: new Set(["killswitch.activated"]) }, []],
  [{ org: "other" }, []],
])("makes of a paused call what an endpoint with %j takes", (changes, types) => {
  expect(eventsFor(destinationOf(changes), paused())?.map(({ type }) => type)).toEqual(types);
});

it("reads no row for an endpoint that takes nothing of its kind", () => {
  const broken = paused("not JSON");
  expect(eventsFor(destinationOf({ events: new Set(["agent.anomaly"]) }), broken)).toEqual([]);
  expect(eventsFor(destinationOf(), broken)).toBeNull();
});
