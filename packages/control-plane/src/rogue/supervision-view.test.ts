import { expect, it } from "vitest";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import { deactivateKillSwitch } from "../kill-switches/deactivate-kill-switch.ts";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";
import { SupervisionView } from "./supervision-view.ts";

const SESSION = { org: "acme", agentId: "a-1", sessionId: "s-1" };

const SWITCH = {
  reason: "drill",
  ttl_seconds: null,
  activated_by: "ana",
  auto_recovery: false,
  dry_run: false,
  trigger_source: "api",
} as const;

it.each([
  { scope: "session", target_id: "s-1", account_wide: false },
  { scope: "agent", target_id: "a-1", account_wide: false },
  { scope: "global", target_id: null, account_wide: true },
] as const)("knows that a switch on $scope stops the session, until it ends", async (target) => {
  const ports = testPorts();
  const outcome = await activateKillSwitch(ports, OPERATOR, { ...SWITCH, ...target });
  if (outcome.kind !== "activated") throw new Error("expected a switch");
  await ports.viewed.catchUp();
  expect(ports.supervised.isKilled(SESSION)).toBe(true);
  expect(ports.supervised.isKilled({ ...SESSION, org: "other" })).toBe(false);
  const { kill_switch_id } = outcome.answer;
  const end = { kill_switch_id, reason: "over", deactivated_by: "ana", trigger_source: "api" } as const;
  await deactivateKillSwitch(ports, OPERATOR, end);
  await ports.viewed.catchUp();
  expect(ports.supervised.isKilled(SESSION)).toBe(false);
});

it("knows the namespaces of registered agents and the severities of sessions", () => {
  const view = new SupervisionView();
  const agent = { id: "a-1", namespace: "prod", quarantine: null };
  const raised = { agentId: "a-1", sessionId: "s-1", severity: "CRITICAL", since: "", reason: "" } as const;
  const changes = [
    { org: "acme", change: { kind: "agent", record: agent, removed: false } },
    { org: "acme", change: { kind: "severity", record: raised } },
  ] as const;
  const steps = view.load({ revision: 2, changes });
  steps.next();
  expect(view.namespaceOf("acme", "a-1")).toBeNull();
  while (steps.next().done !== true) expect(view.revision).toBe(0);
  expect(view.namespaceOf("acme", "a-1")).toBe("prod");
  expect(view.namespaceOf("other", "a-1")).toBeNull();
  expect(view.severityOf(SESSION)).toBe("CRITICAL");
  expect(view.severityOf({ ...SESSION, sessionId: "s-2" })).toBe("INFO");
  expect(view.countBySeverity()).toEqual({ WARNING: 0, CRITICAL: 1, EMERGENCY: 0 });
  const calm = { ...raised, severity: "INFO" } as const;
  view.apply({ revision: 3, org: "acme", change: { kind: "severity", record: calm } });
  view.apply({ revision: 4, org: "acme", change: { kind: "agent", record: agent, removed: true } });
  expect(view.severityOf(SESSION)).toBe("INFO");
  expect(view.namespaceOf("acme", "a-1")).toBeNull();
  expect(view.revision).toBe(4);
});
