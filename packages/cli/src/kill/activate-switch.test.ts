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

const withBody =
  (answer: (text: string, ...of: Parameters<RequestListener>) => void): RequestListener =>
  (...of) =>
    void of[0].toArray().then((chunks) => answer(chunks.join(""), ...of));

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
  kind: "activated",
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

const CONFIRMED = {
  ...SWITCH,
  gateways: [{ id: "gw_1", acknowledged_ms: 2.5 }],
  enforced: true,
  note: undefined,
};

const REHEARSED = {
  kind: "dry_run",
  dry_run: true,
  enforced: false,
  scope: "agent",
  target_id: "a",
  account_wide: false,
  affected: null,
  gateways: CONFIRMED.gateways,
  propagation_ms: 2.5,
};

const UNSEEN = "No call from agent a was seen since 09:00, when the gateway started. Did you mean b?";

// proves CLI-40
it("leads the undo to the server that was asked, and names the user of the machine", async () => {
  const url = await serverOf(json(201, CONFIRMED));
  const { out } = await runCaptured(["kill", "agent", "a", "--reason", "r", "--url", url], {
    environment: { USER: "" },
  });
  expect(out).toContain(`undo      svc-cli unkill ks_1 --url ${url} --reason "..."`);
});

// proves CLI-41
it("ends with 3 and names the gateway that has not confirmed", async () => {
  const { exitCode, out } = await kill(await serverOf(json(201, SWITCH)));
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^NOT STOPPED {2}everywhere: gw_2 has not confirmed/);
  expect(out).toContain("gw_2\tnot yet; denies every call from 2026-01-01T00:00:01.500Z");
  expect(out).toContain("undo      svc-cli unkill ks_1");
});

// proves CLI-41
it.each<[string, object, string]>([
  ["no gateway", { ...CONFIRMED, gateways: [] }, "UNKNOWN      no gateway is named"],
  ["a gateway that has not confirmed", { ...SWITCH, enforced: true }, "NOT STOPPED  everywhere: gw_2 has"],
  [
    "another agent",
    { ...CONFIRMED, target_id: "b" },
    "UNKNOWN      the answer is about agent b, not agent a",
  ],
  ["a tool", { ...CONFIRMED, scope: "tool" }, "UNKNOWN      the answer is about tool a, not agent a"],
  ["a switch that has ended", { ...CONFIRMED, status: "inactive" }, "UNKNOWN      the answer calls the"],
  ["not enforced, and all confirmed", { ...CONFIRMED, enforced: false }, "UNKNOWN      the answer contra"],
])("ends with 3, and never says STOPPED, when an enforced switch names %s", async (_name, body, begins) => {
  const { exitCode, out } = await kill(await serverOf(json(201, body)));
  expect([exitCode, out.slice(0, begins.length)]).toEqual([3, begins]);
});

// proves CLI-41
it("says STOPPED first when every gateway has confirmed the target that was asked for", async () => {
  const { exitCode, out } = await kill(await serverOf(json(201, CONFIRMED)));
  expect([exitCode, out.split("\n")[0]]).toEqual([0, "STOPPED      every call of agent a"]);
});

// proves CLI-41
it("takes the answer of a dry run for no activation, and the reverse", async () => {
  const rehearsed = await kill(await serverOf(json(200, REHEARSED)));
  expect([rehearsed.exitCode, rehearsed.out]).toEqual([3, ""]);
  expect(rehearsed.error).toMatch(/^error: UNKNOWN whether the switch is active: /);
  const activated = await kill(await serverOf(json(200, CONFIRMED)), "--dry-run");
  expect([activated.exitCode, activated.out]).toEqual([3, ""]);
  expect(activated.error).toContain("svc-cli unkill ks_1");
});

// proves CLI-83
it.each([
  ["a switch", json(201, { ...CONFIRMED, warning: UNSEEN }), [], 5, "STOPPED"],
  ["a dry run", json(200, { ...REHEARSED, warning: UNSEEN }), ["--dry-run"], 5, "dry run"],
  ["an expected name", json(201, { ...CONFIRMED, warning: UNSEEN }), ["--expect-unseen"], 0, "STOPPED"],
  ["a switch that is not confirmed", json(201, { ...SWITCH, warning: UNSEEN }), [], 3, "NOT STOPPED"],
])("warns of a name that nobody has seen in the first line: %s", async (...[, answer, more, code, next]) => {
  const { exitCode, out } = await kill(await serverOf(answer), ...more);
  const [first, second] = out.split("\n");
  expect([exitCode, first]).toEqual([code, `WARNING: no such agent seen. ${UNSEEN}`]);
  expect(second?.startsWith(next)).toBe(true);
});

// proves CLI-83
it.each([
  ["n\n", [], 1, 0],
  ["y\n", [], 5, 1],
  ["", ["--expect-unseen"], 0, 1],
  ["", ["--yes"], 5, 1],
])("asks at a terminal before a name that nobody has seen is stopped: %j %j", async (...of) => {
  const [stdin, more, code, activated] = of;
  let count = 0;
  const answer = withBody((text, request, response) => {
    const isDryRun = text.includes('"dry_run":true');
    if (request.method === "POST" && !isDryRun) count += 1;
    json(200, { ...(isDryRun ? REHEARSED : CONFIRMED), warning: UNSEEN })(request, response);
  });
  const url = await serverOf(answer);
  const args = ["kill", "agent", "a", "--reason", "r", "--by", "ana", "--url", url, ...more];
  const { exitCode } = await runCaptured(args, { stdin, inputIsTerminal: true });
  expect([exitCode, count]).toEqual([code, activated]);
});

// proves CLI-83
it.each([
  [["refund-bot"], "To stop an agent: svc-cli kill agent refund-bot."],
  [["agnet", "refund-bot"], "did you mean agent?"],
])("leads a kill without its scope to the whole command: %j", async (words, says) => {
  const { exitCode, error } = await runCaptured(["kill", ...words, "--reason", "r"]);
  expect([exitCode, error]).toEqual([2, expect.stringContaining(says)]);
});

// proves CLI-41
it("stops an agent at a terminal although nobody can say whether its name was seen", async () => {
  const answer = withBody((text, request, response) => {
    if (text.includes('"dry_run":true')) request.socket.destroy();
    else json(201, CONFIRMED)(request, response);
  });
  const url = await serverOf(answer);
  const args = ["kill", "agent", "a", "--reason", "r", "--by", "ana", "--url", url];
  expect(await runCaptured(args, { inputIsTerminal: true })).toMatchObject({ exitCode: 0 });
}, 30_000);

// proves CLI-41
it("says the cause once while the store is away, and whether anything was done", async () => {
  const cause = "The store has not answered for over 1,500 ms. Nothing was changed. Try again later.";
  const { exitCode, out, error } = await kill(await serverOf(json(503, problem("unavailable", cause))));
  expect([exitCode, out]).toEqual([3, ""]);
  const [first, second, third] = error.split("\n");
  expect(first).toMatch(
    /^error: NOT STOPPED by this command: The store is unavailable: The store has not answered/,
  );
  expect(second).toMatch(/^Gateways enforce the switches that they know/);
  expect(third).toMatch(/^Name another server with --url/);
  expect(error.match(/store/g)).toHaveLength(2);
  expect(error).not.toContain("not known");
}, 30_000);

// proves CLI-41
it("says of a server that is not ready what status says of it: it denies every call", async () => {
  const state = { status: "not_ready", control_state: "unverified", policies: "ok", store: "unavailable" };
  const url = await serverOf((request, response) => {
    if (request.url?.includes("readyz") === true) json(503, state)(request, response);
    else json(503, problem("unavailable", "The store is away."))(request, response);
  });
  const { error } = await kill(url);
  const denies = "NOT READY, it denies every call: control state unverified, policies ok, store unavailable";
  expect(error.split("\n")[1]).toBe(`The server that was asked is ${denies}.`);
}, 30_000);

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
  expect(error).toContain("UNKNOWN whether the switch is active");
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
    { schema: "svc.cli.kill-list/v1", kill_switches: [LISTED], disabled_policies: [], never_seen: [] },
  ]);
});

// proves CLI-41
it.each([
  ["another switch", { kill_switch_id: "ks_2", status: "inactive" }],
  ["a switch that is still active", {}],
])("unkill ends with 3 when the answer is about %s", async (_name, changed) => {
  const { note: _note, ...ended } = { ...SWITCH, ...changed };
  const body = { ...ended, gateways: [{ id: "gw_1", acknowledged_ms: 1 }] };
  const url = await serverOf(json(200, body));
  const args = ["unkill", "ks_1", "--yes", "--reason", "r", "--by", "ana", "--url", url];
  const { exitCode, out } = await runCaptured(args);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^UNKNOWN/);
});
