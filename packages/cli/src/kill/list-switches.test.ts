import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const NONE = { kill_switches: [], next_cursor: null };
const { policies } = policyRoutes.listPolicies.answers[200].example;
const DISABLED = { policies: policies.map((one) => ({ ...one, enabled: false })), next_cursor: null };

async function list(answers: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const url = await scriptedServer(answersByPath(answers));
  return runCaptured(["kill", "list", "--url", url, ...args]);
}

// proves CLI-82
it("kill list names each disabled policy and the command that enables it", async () => {
  const { exitCode, out, error } = await list({ "/kill-switch": NONE, "/policies": DISABLED });
  expect([exitCode, error]).toEqual([0, ""]);
  expect(out.split("\t")).toEqual([
    "",
    "disabled",
    "policy demo",
    "",
    "never by itself",
    "",
    "policy",
    'svc-cli policies enable demo --reason "..."\n',
  ]);
  const { out: json } = await list({ "/kill-switch": NONE, "/policies": DISABLED }, "-o", "json");
  expect(JSON.parse(json)).toMatchObject({ kill_switches: [], disabled_policies: ["demo"] });
  const { out: line } = await list({ "/kill-switch": NONE, "/policies": DISABLED }, "-o", "ndjson");
  expect(JSON.parse(line)).toMatchObject({ status: "disabled", policy_id: "demo" });
});

// proves CLI-82
it("kill list shows the switches, and says so, where policies cannot be read", async () => {
  const { example } = killSwitchRoutes.listKillSwitches.answers[200];
  const { exitCode, out, error } = await list({ "/kill-switch": example });
  expect(exitCode).toBe(0);
  expect(out).toContain(example.kill_switches[0]?.kill_switch_id);
  expect(error).toMatch(/^warning: it is not known which policies are disabled: /);
});

// proves CLI-83
it("kill list marks a target of which the audit log has no call, and no other one", async () => {
  const { example } = killSwitchRoutes.listKillSwitches.answers[200];
  const page = auditQueryRoutes.listAuditRows.answers[200].example;
  const answers = { "/kill-switch": example, "/policies": { policies: [], next_cursor: null } };
  const id = example.kill_switches[0]?.kill_switch_id ?? "";
  const none = await list({ ...answers, "/audit": { ...page, rows: [] } });
  expect(none.out).toContain(", never seen\t");
  expect(none.error).toMatch(new RegExp(`^warning: ${id} of .*: NEVER SEEN`));
  const json = await list({ ...answers, "/audit": { ...page, rows: [] } }, "-o", "json");
  expect(JSON.parse(json.out)).toMatchObject({ never_seen: [id] });
  for (const audit of [page, { ...page, rows: [], next_cursor: "more" }])
    expect(await list({ ...answers, "/audit": audit })).toMatchObject({
      error: "",
      out: expect.not.stringContaining("never seen"),
    });
});
