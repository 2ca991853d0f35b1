import { adminPrincipal } from "@svc/contract/testing/principals";
import { expect, it } from "vitest";
import { activation } from "../testing/activation.ts";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";
import { activateKillSwitch } from "./activate-kill-switch.ts";
import { deactivateKillSwitch } from "./deactivate-kill-switch.ts";

const BOUND = adminPrincipal({
  id: "bound",
  org: OPERATOR.org,
  role: "operator",
  agents: new Set(["a-1"]),
  namespaces: new Set(["payments"]),
});

// proves KEY-11
it.each([
  [{ scope: "agent", target_id: "a-1" }, "activated"],
  [{ scope: "namespace", target_id: "payments" }, "activated"],
  [{ scope: "agent", target_id: "a-2" }, "problem"],
  [{ scope: "namespace", target_id: "a-1" }, "problem"],
  [{ scope: "session", target_id: "a-1" }, "problem"],
  [{ scope: "tool", target_id: "a-1" }, "problem"],
  [{ scope: "global", target_id: null, account_wide: true }, "problem"],
  [{ scope: "agent", target_id: "a-1", account_wide: true }, "problem"],
] as const)("a bound operator that stops %j: %s", async (target, kind) => {
  const ports = testPorts();
  for (const dry_run of [true, false]) {
    const outcome = await activateKillSwitch(ports, BOUND, activation({ ...target, dry_run }));
    if (kind === "problem") expect(outcome).toMatchObject({ kind, problem: { code: "forbidden" } });
    else expect(outcome.kind).toBe(dry_run ? "dry_run" : kind);
  }
  if (kind === "problem") await activateKillSwitch(ports, OPERATOR, activation(target));
  const [kill_switch_id = ""] = ports.database.killSwitches.keys();
  const end = { kill_switch_id, reason: "over", deactivated_by: "me", trigger_source: "api" } as const;
  const ended = await deactivateKillSwitch(ports, BOUND, end);
  expect(ended.kind).toBe(kind === "problem" ? "problem" : "deactivated");
});
