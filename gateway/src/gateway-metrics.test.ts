import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { GatewayMetrics } from "./gateway-metrics.ts";

it("counts every verdict of a gateway from 0 on, so that an alarm sees the first one", async () => {
  const registry = new Registry();
  const live = { ageMs: () => 0, killSwitches: () => 0, policiesPending: () => 0 };
  const metrics = new GatewayMetrics(registry, live);
  const lines = async () =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith("svc_decisions_total{"));
  const before = await lines();
  expect(before.every((line) => line.endsWith(" 0"))).toBe(true);
  expect(before).toContain('svc_decisions_total{decision="deny",reason_code="control_state_unverified"} 0');
  expect(before).toContain('svc_decisions_total{decision="pause",reason_code="approval_required"} 0');
  expect(before.join()).not.toContain("gateway_unreachable");
  metrics.decided({ decision: "allow" } as never, 1);
  expect(await lines()).toHaveLength(before.length);
});

it("shows at each scrape how often every pair of decision and reason was given until then", async () => {
  const registry = new Registry();
  const live = { ageMs: () => 0, killSwitches: () => 0, policiesPending: () => 0 };
  const metrics = new GatewayMetrics(registry, live);
  const shown = async () => {
    const given = (await registry.metrics())
      .split("\n")
      .filter((line) => line.startsWith("svc_decisions_total{"));
    return given.filter((line) => !line.endsWith(" 0"));
  };
  const give = (decision: string, reason_code: string) =>
    metrics.decided({ decision, reason_code } as never, 1);
  for (const decision of ["allow", "allow", "deny", "pause"]) give(decision, "agent_suspended");
  const first = [
    'svc_decisions_total{decision="allow",reason_code="none"} 2',
    'svc_decisions_total{decision="pause",reason_code="agent_suspended"} 1',
  ];
  expect(await shown()).toEqual(expect.arrayContaining(first));
  give("deny", "agent_suspended");
  const second = [...first, 'svc_decisions_total{decision="deny",reason_code="agent_suspended"} 2'];
  expect((await shown()).toSorted()).toEqual(second.toSorted());
  expect((await shown()).toSorted()).toEqual(second.toSorted());
  expect(await registry.metrics()).toContain("svc_execute_duration_seconds_count 5");
});
