import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { expect, it } from "vitest";
import { viewKillSwitch } from "./kill-switch-view.ts";

const NOW = new Date("2026-01-01T00:00:00.500Z");
const RECORD: KillSwitchRecord = {
  kill_switch_id: "ks_1",
  scope: "agent",
  target_id: "a-1",
  account_wide: false,
  auto_recovery: false,
  status: "active",
  reason: "r",
  activated_by: "me",
  trigger_source: "api",
  activated_at: "2026-01-01T00:00:00.000Z",
  expires_at: null,
  ended_at: null,
  ended_by: null,
  end_reason: null,
  propagation_ms: 3,
};

// proves KILL-37
it.each<[Partial<KillSwitchRecord>, string, number | null]>([
  [{}, "every call of agent a-1", null],
  [{ scope: "session" }, "every call in session a-1", null],
  [{ scope: "tool" }, "every call of tool a-1", null],
  [{ scope: "namespace", expires_at: "2026-01-01T00:01:00.000Z" }, "every call in namespace a-1", 60],
  [{ expires_at: "2025-12-31T23:59:00.000Z" }, "every call of agent a-1", 0],
  [{ account_wide: true }, "EVERY call of this organization", null],
  [{ scope: "global", target_id: null, account_wide: true }, "EVERY call of this organization", null],
  [{ status: "inactive", expires_at: "2026-01-01T00:01:00.000Z" }, "nothing: it has ended", null],
])("says what a switch stops and for how long: %j", (known, stops, remaining_seconds) => {
  const record = { ...RECORD, ...known };
  expect(viewKillSwitch(record, NOW)).toEqual({ ...record, stops, remaining_seconds });
});
