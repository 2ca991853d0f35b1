import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { problem } from "@svc/contract/problem";
import { expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const kill = (url: string, ...more: readonly string[]) =>
  runCaptured(["kill", "agent", "a", "--reason", "r", "--by", "ana", "--url", url, ...more]);

const LISTED = {
  kill_switch_id: "ks_1",
  scope: "agent",
  target_id: "a",
  account_wide: false,
  auto_recovery: false,
  status: "active",
  reason: "r",
  activated_by: "ana",
  trigger_source: "api",
  activated_at: "2026-01-01T00:00:00.000Z",
  ended_at: null,
  ended_by: null,
  end_reason: null,
  propagation_ms: null,
  remaining_seconds: null,
  stops: "every call of agent a",
  expires_at: null,
};

const SWITCH = {
  ...LISTED,
  extended: false,
  affected: null,
  gateways: [
    { id: "gw_1", acknowledged_ms: 2.5 },
    { id: "gw_2", acknowledged_ms: null, lease_ends_at: "2026-01-01T00:00:01.500Z" },
  ],
  enforced: false,
  note: "gw_2 has not acknowledged.",
};

// proves CLI-40
it("leads the undo to the server that was asked, and names the user of the machine", async () => {
  const url = await serverOf(json(201, { ...SWITCH, enforced: true }));
  const { out } = await runCaptured(["kill", "agent", "a", "--reason", "r", "--url", url], {
    environment: { USER: "" },
  });
  expect(out).toContain(`undo      svc-cli unkill ks_1 --url ${url} --reason "..."`);
});

// proves CLI-41
it("ends with 3 and names the gateway that has not confirmed", async () => {
  const { exitCode, out } = await kill(await serverOf(json(201, SWITCH)));
  expect(exitCode).toBe(3);
  expect(out).toContain("NOT ENFORCED EVERYWHERE");
  expect(out).toContain("gw_2\tnot yet; denies every call from 2026-01-01T00:00:01.500Z");
  expect(out).toContain("undo      svc-cli unkill ks_1");
});

// proves CLI-41
it.each<[string, number, unknown, number]>([
  ["a success of another server", 200, { ok: true }, 3],
  ["enforced as a text", 201, { ...SWITCH, enforced: "true" }, 3],
  ["a redirect", 302, {}, 3],
  ["a problem of the request", 400, problem("invalid_request", "no"), 2],
  ["a key that may not", 403, problem("forbidden", "no"), 4],
  ["an unknown outcome", 409, problem("outcome_unknown", "no"), 3],
  ["a fault of the server", 500, problem("internal_error", "no"), 3],
])("ends never with 0 after %s", async (_name, status, body, exitCode) => {
  expect(await kill(await serverOf(json(status, body)))).toMatchObject({ exitCode });
});

// proves CLI-41
it("asks again under the same idempotency key, and says what is known when no answer came", async () => {
  const keys: unknown[] = [];
  const url = await serverOf((request) => {
    keys.push(request.headers["idempotency-key"]);
    request.socket.destroy();
  });
  const { exitCode, error } = await kill(url);
  expect(exitCode).toBe(3);
  expect(error).toContain("It is not known whether the switch is active");
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toEqual(expect.any(String));
}, 30_000);

// proves CLI-40
it("lists the switches of the server that stands behind the name of the command", async () => {
  const url = await serverOf(json(200, { policies: [], kill_switches: [LISTED], next_cursor: null }));
  const { exitCode, out, error } = await runCaptured(["kill", "list", "--url", url, "-o", "json"]);
  expect(error).toBe("");
  expect([exitCode, JSON.parse(out)]).toEqual([
    0,
    { schema: "svc.cli.kill-list/v1", kill_switches: [LISTED], disabled_policies: [] },
  ]);
});
