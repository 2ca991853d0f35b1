import { agentRoutes } from "@svc/api/agent-routes";
import { heldCallRoutes } from "@svc/api/held-call-routes";
import { quarantineRoutes } from "@svc/api/quarantine-routes";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { addressWithoutServer, answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const LATE = {
  gateways: [
    { id: "gw_1", acknowledged_ms: 2.5 },
    { id: "gw_2", acknowledged_ms: null, lease_ends_at: "2026-11-22T09:00:01.500Z" },
  ],
  enforced: false,
  note: "gw_2 has not acknowledged.",
};
const QUARANTINED = { ...quarantineRoutes.quarantineAgent.answers[201].example, ...LATE };
const LIFTED = { ...quarantineRoutes.liftQuarantine.answers[200].example, ...LATE };
const REGISTERED = { ...agentRoutes.registerAgent.answers[201].example, ...LATE };

const REASON = ["--reason", "r", "--by", "ana"];

// proves CLI-50
it.each<[readonly string[], object]>([
  [["quarantine", "billing-bot", ...REASON], QUARANTINED],
  [["release", "billing-bot", ...REASON], LIFTED],
  [["register", "billing-bot", "--namespace", "payments"], REGISTERED],
  // An answer that contradicts itself proves nothing.
  [["quarantine", "billing-bot", ...REASON], { ...QUARANTINED, enforced: true }],
  [["release", "billing-bot", ...REASON], { ...LIFTED, enforced: true }],
  [["register", "billing-bot", "--namespace", "payments"], { ...REGISTERED, enforced: true }],
])("%s ends with 3 and names the gateway that has not confirmed", async (args, changed) => {
  const { note: _, enforced: __, gateways: ___, ...agent } = REGISTERED;
  const { quarantine } = QUARANTINED;
  const url = await scriptedServer((request, response) => {
    const body = request.method === "GET" ? { ...agent, quarantine } : changed;
    const status = request.method === "POST" ? 201 : 200;
    const found = request.url?.includes("/audit") === true ? null : JSON.stringify(body);
    response
      .writeHead(found === null ? 404 : status, { "content-type": "application/json" })
      .end(found ?? "{}");
  });
  const { exitCode, out } = await runCaptured(["agents", ...args, "--url", url]);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^NOT /);
  expect(out).toContain("gw_2\tnot yet; denies every call from 2026-11-22T09:00:01.500Z");
  expect(out).toMatch(/^undo +\S/m);
  expect(out).toMatch(/^audit row +not known: /m);
});

// proves CLI-50
it("takes the answer of a dry run for no quarantine", async () => {
  const body = {
    dry_run: true,
    enforced: false,
    agent_id: "billing-bot",
    affected: null,
    propagation_ms: 2,
    gateways: [{ id: "gw_1", acknowledged_ms: 2 }],
  };
  const url = await scriptedServer(answersByPath({ "/agents/billing-bot/quarantine": body }));
  const { exitCode, out } = await runCaptured([
    "agents",
    "quarantine",
    "billing-bot",
    ...REASON,
    "--url",
    url,
  ]);
  expect([exitCode, out]).toEqual([3, ""]);
});

// proves CLI-50
it.each([["quarantine"], ["release"], ["reregister"]])("%s needs a reason", async (name) => {
  const { exitCode, out, error } = await runCaptured(["agents", name, "a", "--by", "ana"]);
  expect([exitCode, out]).toEqual([2, ""]);
  expect(error).toContain("--reason: expected why");
});

// proves CLI-50
it("says that nothing was changed when no server is there", async () => {
  const url = await addressWithoutServer();
  const { exitCode, error } = await runCaptured(["agents", "quarantine", "a", ...REASON, "--url", url]);
  expect(exitCode).toBe(3);
  expect(error).toMatch(/^error: Nothing was changed: the control plane at /);
});

// proves CLI-50
it("watches in lines where there is no terminal: first all agents, then those that changed", async () => {
  const page = agentRoutes.listAgents.answers[200].example;
  let looks = 0;
  const url = await scriptedServer((request, response) => {
    if (request.url?.includes("/agents?") !== true && request.url?.endsWith("/agents") !== true) {
      const answers = {
        "/kill-switch": { kill_switches: [], next_cursor: null },
        "/policies": { policies: [], next_cursor: null },
        "/policy-assignments": { policy_assignments: [], next_cursor: null },
      };
      answersByPath(answers)(request, response);
      return;
    }
    looks += 1;
    const status = looks < 2 ? "registered" : "discovered";
    const agents = [
      { ...page.agents[0], status },
      { ...page.agents[0], id: "still" },
    ];
    answersByPath({ "/agents": { ...page, agents } })(request, response);
  });
  let end = (): void => undefined;
  let lines = 0;
  const { exitCode, out } = await runCaptured(["agents", "watch", "-o", "ndjson", "--url", url], {
    onInterrupt: (ending) => {
      end = ending;
      return () => undefined;
    },
    onOut: () => {
      lines += 1;
      if (lines === 3) end();
    },
  });
  expect(exitCode).toBe(130);
  const shown = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; status: string });
  expect(shown.map(({ id, status }) => [id, status])).toEqual([
    ["billing-bot", "registered"],
    ["still", page.agents[0]?.status],
    ["billing-bot", "discovered"],
  ]);
}, 30_000);

// proves CLI-50
it("lists held calls, and does not call one approved", async () => {
  const page = heldCallRoutes.listHeldCalls.answers[200].example;
  const url = await scriptedServer(answersByPath({ "/held-calls": page }));
  const { exitCode, out } = await runCaptured(["agents", "held", "--url", url]);
  expect(exitCode).toBe(0);
  expect(out.split("\t").slice(0, 5)).toEqual([
    page.held_calls[0]?.id,
    "held",
    "payments-agent",
    "s-1",
    "payments.refund",
  ]);
});

// proves CLI-50
it("refuses forms that a watch cannot write", async () => {
  const { exitCode, out } = await runCaptured(["agents", "list", "-w", "-o", "json"]);
  expect([exitCode, out]).toEqual([2, ""]);
});
