import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import { agentRoutes } from "@svc/api/agent-routes";
import { alertRoutes } from "@svc/api/alert-routes";
import { approvalRoutes } from "@svc/api/approval-routes";
import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { gatewayListRoutes } from "@svc/api/gateway-list-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { operationalRoutes } from "@svc/api/operational-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import { webhookRoutes } from "@svc/api/webhook-routes";
import { problem } from "@svc/contract/problem";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { addressWithoutServer, answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const READY = operationalRoutes.getReadiness.answers[200].example;
const GATEWAY = gatewayListRoutes.listGateways.answers[200].example.gateways[0];
const ROW = auditQueryRoutes.getAuditRow.answers[200].example;
const PAGE = auditQueryRoutes.listAuditRows.answers[200].example;
const FAULT = {
  ...PAGE.rows[0],
  row: { ...PAGE.rows[0]?.row, fail_closed: true, reason_code: "audit_unavailable" },
};

const ANSWERS = {
  "/readyz": READY,
  "/gateways": { gateways: [GATEWAY], next_cursor: null },
  "/kill-switch": killSwitchRoutes.listKillSwitches.answers[200].example,
  "/policies": { policies: [], next_cursor: null },
  "/agents": agentRoutes.listAgents.answers[200].example,
  "/agents/top": agentActivityRoutes.listBusyAgents.answers[200].example,
  "/alerts": { alerts: [], next_cursor: null },
  "/webhooks": { webhooks: [], next_cursor: null },
  "/approvals": approvalRoutes.listApprovals.answers[200].example,
  "/audit": { ...PAGE, rows: [FAULT, ...PAGE.rows] },
  [`/audit/${ROW.id}`]: ROW,
};

async function status(answers: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const url = await scriptedServer(answersByPath(answers));
  return runCaptured(["status", "--url", url, ...args]);
}

describe("svc-cli status", () => {
  // proves CLI-58
  it("shows every part, with the faults that denied calls", async () => {
    const { exitCode, out } = await status(ANSWERS);
    expect(exitCode).toBe(0);
    expect(out).toContain("server     ready");
    expect(out).toContain("100.0 % denied: of the last 2, 2 denied, 0 paused, 0 allowed");
    expect(out).toContain(
      "busiest    refund-bot  1500 calls (293x), 40 (new) denied, 0 paused in 5 min 8 s; ",
    );
    expect(out).toContain("; 292.7 calls a minute, 1180 in the busiest one; ");
    expect(out).toContain("denied by a fault: 1 audit_unavailable");
    expect(out).toContain(`signed     up to row ${ROW.id} of `);
    expect(out).not.toContain("not known");
  });

  // proves CLI-58
  it.each([
    "/gateways",
    "/kill-switch",
    "/policies",
    "/agents",
    "/agents/top",
    "/approvals",
    "/audit",
    "/alerts",
    "/webhooks",
  ])("names %s when it cannot be read, and ends with 5", async (path) => {
    const { [path]: _, ...others } = ANSWERS as Record<string, unknown>;
    const { exitCode, out } = await status(others);
    expect(exitCode).toBe(5);
    expect(out.match(/not known: |^not known  /gm)).toHaveLength(1);
  });

  // proves CLI-58
  it("shows open alerts, the critical ones first, and what to type next", async () => {
    const [alert] = alertRoutes.listAlerts.answers[200].example.alerts;
    const warning = { ...alert, id: "alert_w", severity: "warning", condition: "dead_letters" };
    const { exitCode, out } = await status({
      ...ANSWERS,
      "/alerts": { alerts: [warning, alert], next_cursor: null },
    });
    expect(exitCode).toBe(0);
    const lines = [
      "2 open",
      `critical  agent_severity  ${alert.id}, .* ago: .*`,
      "warning  dead_letters  .*",
    ];
    expect(out).toMatch(
      new RegExp(`^alerts +${[...lines, `svc-cli alerts ack ${alert.id} `].join("\\n +")}`, "m"),
    );
    const json = await status(
      { ...ANSWERS, "/alerts": { alerts: [alert], next_cursor: null } },
      "-o",
      "json",
    );
    expect(JSON.parse(json.out)).toMatchObject({ alerts: { value: { items: [{ id: alert.id }] } } });
  });

  // proves CLI-58
  it("shows webhooks that are suspended or disabled, and no secret of their addresses", async () => {
    const one = webhookRoutes.getWebhook.answers[200].example;
    const health = { ...one.health, state: "suspended", next_probe_at: one.created_at };
    const gone = {
      ...one,
      id: "whk_gone",
      enabled: false,
      disabled_at: one.created_at,
      disabled_reason: "gone",
    };
    const url = "https://hooks.example.com/token-1";
    const healthy = { ...one, id: "whk_fine" };
    const answers = {
      ...ANSWERS,
      "/webhooks": { webhooks: [{ ...one, url }, gone, healthy], next_cursor: null },
      [`/webhooks/${one.id}`]: { ...one, url, health },
      "/webhooks/whk_fine": healthy,
    };
    const { exitCode, out } = await status(answers);
    expect([exitCode, out]).toEqual([0, expect.not.stringContaining("token-1")]);
    expect(out).toMatch(
      new RegExp(
        `^webhooks +1 suspended, 1 disabled\n +SUSPENDED {2}${one.id} {2}https://hooks.example.com, .*\n` +
          ` +disabled \\(gone\\) {2}whk_gone .*\n +svc-cli webhooks deliveries ${one.id} --status failed`,
        "m",
      ),
    );
  });

  // proves CLI-58
  it("is complete for a key that may read everything but webhooks", async () => {
    const { "/webhooks": _, ...others } = ANSWERS;
    const refusal = problem("forbidden", "The key has no scope webhook:read.");
    const url = await scriptedServer((request, response) => {
      if (request.url?.includes("/webhooks") !== true) return answersByPath(others)(request, response);
      const body = JSON.stringify(refusal);
      response.writeHead(403, { "content-type": "application/problem+json" }).end(body);
    });
    const { exitCode, out } = await runCaptured(["status", "--url", url]);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^webhooks +not known: .*webhook:read/m)]);
  });

  // proves CLI-58
  it("does not count denied probes of svc-cli doctor among the decisions", async () => {
    const row = {
      ...PAGE.rows[0]?.row,
      tool: "svc.doctor-probe-1",
      decision: "deny",
      reason_code: "kill_switch",
    };
    const probe = { ...PAGE.rows[0], row };
    const { out } = await status({ ...ANSWERS, "/audit": { ...PAGE, rows: [probe, ...PAGE.rows] } });
    expect(out).toContain("of the last 1, 1 denied, 0 paused, 0 allowed");
    expect(out).toContain("besides 1 denied probe of svc-cli doctor");
  });

  // proves CLI-58
  it("shows a disabled policy as stopped, and nothing only where both are known", async () => {
    const nothing = { ...ANSWERS, "/kill-switch": { kill_switches: [], next_cursor: null } };
    expect((await status(nothing)).out).toMatch(/^stopped +nothing$/m);
    const { policies } = policyRoutes.listPolicies.answers[200].example;
    const disabled = { policies: policies.map((one) => ({ ...one, enabled: false })), next_cursor: null };
    const { out } = await status({ ...nothing, "/policies": disabled });
    expect(out).toMatch(/^stopped +1 disabled policy\n +policy demo is disabled, so every call that it/m);
    expect(out).toContain("svc-cli policies enable demo");
    const { "/policies": _, ...unknown } = nothing;
    expect((await status(unknown)).out).not.toMatch(/^stopped +nothing$/m);
    expect((await status(ANSWERS)).out).toContain("1 active kill switch\n");
  });

  // proves CLI-58
  it("shows anomalies of the last hour, by agent and kind", async () => {
    const anomaly = (agent_id: string, name: string) => ({
      ...PAGE.rows[0],
      kind: "anomaly",
      row: { kind: "anomaly", agent_id, anomaly: name, explanation: `${name} of ${agent_id}` },
    });
    const found = [anomaly("a", "new_tool"), anomaly("b", "call_rate"), anomaly("a", "new_tool")];
    const url = await scriptedServer((request, response) => {
      const isAsked = request.url?.includes("kind=anomaly") === true;
      const answers = isAsked ? { ...ANSWERS, "/audit": { ...PAGE, rows: found } } : ANSWERS;
      answersByPath(answers)(request, response);
    });
    const { out } = await runCaptured(["status", "--url", url]);
    expect(out).toMatch(
      /^anomalies {2}3 in the last hour\n +a {2}new_tool 2 times, .* ago: new_tool of a\n +b {2}call_rate, /m,
    );
  });

  // proves CLI-83
  it("marks a kill switch on a name of which the audit log has no call", async () => {
    expect((await status({ ...ANSWERS, "/audit": { ...PAGE, rows: [] } })).out).toContain("NEVER SEEN");
    expect((await status(ANSWERS)).out).not.toContain("NEVER SEEN");
  });

  // proves CLI-86
  it("says once why several parts are not known", async () => {
    const detail = "The store is unavailable: no connection came within 5 s. Nothing was changed.";
    const url = await scriptedServer((request, response) => {
      if (request.url === "/readyz") return answersByPath(ANSWERS)(request, response);
      const body = JSON.stringify({ ...problem("unavailable", detail), status: 503 });
      response.writeHead(503, { "content-type": "application/problem+json" }).end(body);
    });
    const { exitCode, out } = await runCaptured(["status", "--url", url]);
    expect(exitCode).toBe(5);
    expect(out.split(detail)).toHaveLength(2);
    expect(out).toMatch(/^not known {2}gateways, kill switches, .*: the store is unavailable/im);
    expect(out).toMatch(/^gateways {3}not known$/m);
    expect(out).not.toMatch(/^stopped +nothing/m);
  });

  // proves CLI-58
  it("ends with 1 when a gateway denies every call, or the server is not ready", async () => {
    const gateways = { gateways: [{ ...GATEWAY, lease_ends_at: null }], next_cursor: null };
    const denying = await status({ ...ANSWERS, "/gateways": gateways });
    expect(denying.exitCode).toBe(1);
    expect(denying.out).toContain("DENIES EVERY CALL");
    const loading = { ...READY, status: "not_ready", policies: "loading" };
    const { exitCode, out } = await status({ ...ANSWERS, "/readyz": loading });
    expect(exitCode).toBe(1);
    expect(out).toContain("NOT READY, it denies calls whose policy is not compiled: control state ok");
  });

  // proves CLI-58
  it("ends with 4 when the key may read nothing, and with 3 in one line when nobody answers", async () => {
    const url = await scriptedServer((request, response) => {
      if (request.url === "/readyz") answersByPath(ANSWERS)(request, response);
      else {
        const refusal = problem("unauthenticated", "no key");
        response
          .writeHead(refusal.status, { "content-type": "application/problem+json" })
          .end(JSON.stringify(refusal));
      }
    });
    expect(await runCaptured(["status", "--url", url])).toMatchObject({ exitCode: 4, out: "" });
    const away = await runCaptured(["status", "--url", await addressWithoutServer()]);
    expect([away.exitCode, away.out]).toEqual([3, ""]);
    expect(away.error.split("\n")).toHaveLength(2);
  });

  const row = (log: string, seq: number, ageSeconds: number) => ({
    ...PAGE.rows[0],
    id: `${log}.${String(seq)}`,
    log_id: log,
    seq,
    time: new Date(Date.now() - 1_000 * ageSeconds).toISOString(),
  });

  /** A log whose last second was busy, and one that was not signed. */
  async function statusOfLogs(
    rows: readonly { readonly id: string; readonly time: string }[],
    unsigned = "",
  ) {
    const url = await scriptedServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://any");
      const until = searchParams.get("until");
      const found = rows.filter(({ time }) => until === null || time < until).slice(0, 50);
      const byId = rows.map((one) => {
        const checkpoint = one.id.startsWith(`${unsigned}.`) ? null : ROW.checkpoint;
        return [`/audit/${one.id}`, { ...ROW, ...one, checkpoint }] as const;
      });
      const answers = { ...ANSWERS, "/audit": { ...PAGE, rows: found }, ...Object.fromEntries(byId) };
      request.url = pathname;
      answersByPath(answers)(request, response);
    });
    return runCaptured(["status", "--url", url]);
  }

  // proves CLI-85
  it("names the last signed row of each log, also when the newest rows are very young", async () => {
    const busy = Array.from({ length: 150 }, (_, at) => row("gw_a", 300 - at, at / 100));
    const older = [row("gw_a", 150, 6), row("gw_a", 149, 7), row("gw_b", 8, 90)];
    const { exitCode, out } = await statusOfLogs([...busy, ...older]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^signed +up to row gw_a\.150 of .* ago\n +up to row gw_b\.8 of .* ago$/m);
  });

  // proves CLI-85
  it("names a log that is not signed beside one that is", async () => {
    const { out } = await statusOfLogs([row("gw_a", 9, 6), row("gw_b", 8, 90)], "gw_b");
    expect(out).toMatch(/^signed +up to row gw_a\.9 of .*\n +NOT SIGNED: row gw_b\.8 of /m);
  });

  // proves CLI-85
  it("says that a gateway has no row among those that it looked at", async () => {
    const next = { ...PAGE, rows: [row("gw_a", 9, 6)], next_cursor: "c" };
    const { out } = await status({ ...ANSWERS, "/audit": next, "/audit/gw_a.9": ROW });
    expect(out).toMatch(new RegExp(`^ +${GATEWAY.id}: not among the last 200 rows$`, "m"));
  });

  // proves CLI-85
  it("says that no row has to be signed yet only where every row is new", async () => {
    expect((await statusOfLogs([row("gw_a", 1, 0)])).out).toMatch(/^signed +no row is older than 5 s$/m);
    const late = { ...PAGE, rows: [], indexed: { complete: false, behind: [] } };
    const { out } = await status({ ...ANSWERS, "/audit": late });
    expect(out).toMatch(/^signed +not known: no older row is indexed yet$/m);
  });

  // proves CLI-58
  it("refuses forms that a watch cannot write", async () => {
    expect(await status(ANSWERS, "-w", "-o", "json")).toMatchObject({ exitCode: 2, out: "" });
  });

  // proves CLI-58
  it("watches in place at a terminal until a signal comes, and leaves the last picture", async () => {
    const url = await scriptedServer(answersByPath(ANSWERS));
    let end = (): void => undefined;
    const { exitCode, out } = await runCaptured(["status", "-w", "--url", url], {
      outIsTerminal: true,
      onInterrupt: (ending) => {
        end = ending;
        return () => undefined;
      },
      onOut: () => end(),
    });
    expect(exitCode).toBe(130);
    expect(out.startsWith("\u001b[?1049h\u001b[?7l\u001b[H")).toBe(true);
    expect(out.split("\u001b[?1049l")[1]).toContain("server     ");
  });
});
