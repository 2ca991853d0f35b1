import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { describe, expect, it } from "vitest";
import { killSwitchRow } from "./kill-switch-row.ts";

const GITHUB = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const RECORD: KillSwitchRecord = {
  kill_switch_id: "ks_1",
  scope: "session",
  target_id: GITHUB,
  account_wide: false,
  auto_recovery: false,
  status: "active",
  reason: "runaway",
  activated_by: "on-call",
  trigger_source: "api",
  activated_at: "2026-01-01T00:00:00.000Z",
  expires_at: null,
  ended_at: null,
  ended_by: null,
  end_reason: null,
  propagation_ms: 3,
};

describe("the row of a kill switch", () => {
  // proves AUD-51
  it("names target, actor and reason without secrets", () => {
    const row = killSwitchRow(RECORD, {
      org: "acme",
      principal: "key_1",
      time: RECORD.activated_at,
      action: "activated",
      actor: "token=a1b2c3d4e5f6a7b8c9",
      reason: `leaked ${GITHUB} in a prompt`,
      trigger_source: "api",
    });
    expect(row).not.toContain(GITHUB);
    expect(JSON.parse(row)).toMatchObject({
      target_id: expect.stringMatching(/^\[masked:secret\.github_token:[0-9a-f]{32}\]$/) as unknown,
      actor: "token=[masked:secret.generic_api_key]",
      reason: "leaked [masked:secret.github_token] in a prompt",
    });
  });
});
