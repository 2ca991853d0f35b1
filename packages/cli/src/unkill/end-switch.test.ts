import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const ENDED = killSwitchRoutes.deactivateKillSwitch.answers[200].example;
const PAGE = auditQueryRoutes.listAuditRows.answers[200].example;
const endMs = Date.parse(ENDED.ended_at ?? "");

async function unkill(audit: unknown) {
  const answers = { [`/kill-switch/${ENDED.kill_switch_id}`]: ENDED, "/audit": audit };
  const url = await scriptedServer(answersByPath(answers));
  const args = ["unkill", ENDED.kill_switch_id, "--yes", "--reason", "r", "--by", "ana", "--url", url];
  return runCaptured(args);
}

// proves CLI-40
it.each([
  ["still calls", [2_500, 4_000], "STILL CALLING 2 calls in the minute before, the last one 2 s before\n"],
  ["has just called", [40], "STILL CALLING 1 call in the minute before, the last one just before\n"],
  ["is quiet", [], "calls     none in the minute before\n"],
])("unkill says that its target %s", async (_name, ages, says) => {
  const rows = ages.map((age) => ({ ...PAGE.rows[0], time: new Date(endMs - age).toISOString() }));
  const { exitCode, out } = await unkill({ ...PAGE, rows });
  expect([exitCode, out]).toEqual([0, expect.stringContaining(says)]);
});

// proves CLI-40
it("unkill says where nobody can say whether its target still calls", async () => {
  expect((await unkill(undefined)).out).toContain("calls     not known\n");
});
