import { policyStateRoutes } from "@svc/api/policy-state-routes";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { addressWithoutServer, scriptedServer } from "../testing/scripted-server.suite.ts";

const DISABLED = policyStateRoutes.disablePolicy.answers[200].example;
const PENDING = policyStateRoutes.disablePolicy.answers[202].example;
const { gateways: _, propagation_ms: __, ...POLICY } = DISABLED;

interface Scripted {
  readonly enabled: boolean;
  readonly moved?: object;
  readonly rows?: readonly object[];
}

/** A server with one policy. */
async function server({ enabled, moved = DISABLED, rows = [] }: Scripted) {
  const changes: string[] = [];
  const url = await scriptedServer((request, response) => {
    const path = new URL(request.url ?? "", "http://any").pathname.replace("/api/v1", "");
    if (request.method === "POST") changes.push(path);
    const answers: Readonly<Record<string, unknown>> = {
      "/policies/demo": { ...POLICY, enabled },
      "/policies/demo/gateways": { ...PENDING, policy_id: "demo" },
      "/policy-assignments": { policy_assignments: [], next_cursor: null },
      "/audit": { rows, next_cursor: null, indexed: { complete: true } },
    };
    const body = request.method === "POST" ? moved : answers[path];
    const status = moved === PENDING && request.method === "POST" ? 202 : 200;
    response
      .writeHead(body === undefined ? 404 : status, { "content-type": "application/json" })
      .end(JSON.stringify(body ?? {}));
  });
  return { url, changes };
}

const REASON = ["--reason", "incident 7"];

// proves CLI-81
it("policies disable ends with 0 when every gateway has confirmed, and prints the undo", async () => {
  const { url, changes } = await server({ enabled: true });
  const { exitCode, out } = await runCaptured(["policies", "disable", "demo", ...REASON, "--url", url]);
  expect([exitCode, changes]).toEqual([0, ["/policies/demo/disable"]]);
  expect(out).toContain("disabled  demo: every call that it governs is denied\ngateways  1/1, 2 ms\n");
  expect(out).toContain(`undo      svc-cli policies enable demo --url ${url} --reason "..."\n`);
});

// proves CLI-81
it("policies disable ends with 3 and the gateway that has not confirmed", async () => {
  const { url } = await server({ enabled: true, moved: PENDING });
  const args = ["policies", "disable", "demo", ...REASON, "--wait", "1s", "--url", url];
  const { exitCode, out } = await runCaptured(args);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^NOT CONFIRMED EVERYWHERE demo/);
  expect(out).toContain("gw_1f0c\tnot confirmed: it may still decide as before");
});

// proves CLI-81
it("policies disable says that nothing was changed where the policy was disabled", async () => {
  const { url } = await server({ enabled: false });
  const { exitCode, out } = await runCaptured(["policies", "disable", "demo", ...REASON, "--url", url]);
  expect(exitCode).toBe(0);
  expect(out).toContain("as it was before: nothing was changed");
  expect(out).not.toMatch(/^(undo|audit row)/m);
});

// proves CLI-81
it("policies disable --dry-run changes nothing, and a change needs a reason", async () => {
  const { url, changes } = await server({ enabled: true });
  const at = ["policies", "disable", "demo", "--url", url];
  const dry = await runCaptured([...at, ...REASON, "--dry-run"]);
  expect([dry.exitCode, changes]).toEqual([0, []]);
  expect(dry.out).toContain("nothing was changed; demo would be disabled");
  const unreasoned = await runCaptured(at);
  expect([unreasoned.exitCode, unreasoned.out, changes]).toEqual([2, "", []]);
  const away = ["policies", "enable", "demo", ...REASON, "--url", await addressWithoutServer()];
  expect(await runCaptured(away)).toMatchObject({ exitCode: 3, out: "" });
});
