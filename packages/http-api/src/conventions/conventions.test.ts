import { rawExchange } from "@svc/http-edge/testing/raw-exchange";
import { systemClock } from "@svc/process/clock";
import { describe, expect, it } from "vitest";
import { RATE_BUDGETS, RateLimits } from "../rate-limits/rate-limits.ts";
import { jsonBody, startControlApi } from "../testing/control-api.suite.ts";

const NAMESPACES = "/api/v1/namespaces";
const ACTIVATION = { scope: "agent", target_id: "a-1", reason: "stop", activated_by: "me" };
const LISTED = "https://ops.example.com";
const OTHER = "https://evil.example";

describe("Idempotency-Key", () => {
  // proves API-20
  it("makes 100 equal requests at once create one thing, and gives a later one the same answer", async () => {
    const { ask, store } = await startControlApi();
    const init = jsonBody({ id: "prod" }, { "idempotency-key": "k-1" });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask("POST", NAMESPACES, init)));
    const created = answers.filter(
      ({ status, headers }) => status === 201 && !headers.has("idempotency-replayed"),
    );
    expect(created).toHaveLength(1);
    const codes = new Set(answers.map(({ status, body }) => [status, body["code"]].join()));
    expect([...codes].filter((code) => !["201,", "409,request_in_flight"].includes(code))).toEqual([]);
    expect(store.rowTexts().filter((row) => row.includes('"created"'))).toHaveLength(1);
    const again = await ask("POST", NAMESPACES, init);
    expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([
      201,
      created[0]?.text,
      "true",
    ]);
    expect(again.headers.get("location")).toBe("/api/v1/namespaces/prod");
    expect(again.headers.get("content-type")).toBe("application/json");
  });

  // proves API-20
  it("makes 100 equal activations at once one switch", async () => {
    const { ask, store } = await startControlApi();
    const init = jsonBody(ACTIVATION, { "idempotency-key": "k-1" });
    await Promise.all(Array.from({ length: 100 }, () => ask("POST", "/v1/kill-switch", init)));
    const again = await ask("POST", "/v1/kill-switch", init);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(store.rowTexts()).toHaveLength(1);
  });

  // proves API-32
  it("of an activation claims no stop by a switch that has ended, and activates none", async () => {
    const { ask, store } = await startControlApi();
    const init = jsonBody(ACTIVATION, { "idempotency-key": "k-1" });
    const first = await ask("POST", "/v1/kill-switch", init);
    const path = `/v1/kill-switch/${String(first.body["kill_switch_id"])}`;
    await ask("DELETE", path, jsonBody({ reason: "over", deactivated_by: "me" }));
    const rows = store.rowTexts().length;
    const again = await ask("POST", "/v1/kill-switch", init);
    expect([again.status, again.body["code"]]).toEqual([409, "conflict"]);
    expect(again.body["detail"]).toMatch(/ended at .* by me: over.*new Idempotency-Key/);
    expect(store.rowTexts()).toHaveLength(rows);
  });

  // proves API-32
  it("of an activation answers what holds now: the end, and the gateways that enforce it", async () => {
    const acknowledged = (ms: number | null) => [{ id: "gw-1", acknowledged_ms: ms }];
    const probed = { gateways: acknowledged(2), affected: { agents: ["a-1"], sessions: [] }, sighting: null };
    const propagation = {
      announce: async () => acknowledged(null),
      announceSwitch: () => ({
        acknowledged: Promise.resolve(acknowledged(null)),
        probed: Promise.resolve(probed),
      }),
      announcePolicyChange: async () => acknowledged(null),
      probePolicy: async () => acknowledged(null),
      announceKeyChange: async () => acknowledged(null),
      probe: async () => probed,
    };
    const { ask } = await startControlApi({ controlPlane: { propagation } });
    const keyed = jsonBody({ ...ACTIVATION, ttl_seconds: 60 }, { "idempotency-key": "k-1" });
    const first = await ask("POST", "/v1/kill-switch", keyed);
    expect([first.status, first.body["enforced"]]).toEqual([201, false]);
    await ask("POST", "/v1/kill-switch", jsonBody({ ...ACTIVATION, ttl_seconds: 600 }));
    const again = await ask("POST", "/v1/kill-switch", keyed);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(again.body).toMatchObject({ enforced: true, extended: false, affected: { agents: ["a-1"] } });
    expect(again.body["remaining_seconds"]).toBeGreaterThan(60);
    expect(again.body).not.toHaveProperty("note");
  });

  it("of a dry run of an activation gets its answer again", async () => {
    const { ask } = await startControlApi();
    const init = jsonBody({ ...ACTIVATION, dry_run: true }, { "idempotency-key": "k-1" });
    const first = await ask("POST", "/v1/kill-switch", init);
    const again = await ask("POST", "/v1/kill-switch", init);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  // proves API-20
  it("makes a repeated creation of an API key make one key, and never gives its secret again", async () => {
    const { ask, store } = await startControlApi();
    const as = { authorization: "Bearer anonymous", "idempotency-key": "k-1" };
    const init = jsonBody({ name: "n", role: "agent" }, as);
    const first = await ask("POST", "/api/v1/keys", init);
    const again = await ask("POST", "/api/v1/keys", init);
    expect([first.status, first.body["key"]]).toEqual([201, expect.stringMatching(/^svc_/)]);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect([again.body["id"], again.body["key"]]).toEqual([first.body["id"], undefined]);
    expect(again.body["detail"]).toContain("rotate the secret");
    expect(store.rowTexts()).toHaveLength(1);
  });

  // proves API-21
  it.each([
    ["body", "POST", NAMESPACES, { id: "stage" }],
    ["route", "POST", "/api/v1/policy-assignments", { policy_id: "p", agent_id: "a" }],
    ["prefix", "POST", "/v1/namespaces", { id: "prod" }],
  ])("with another %s is a 422", async (_name, method, path, body) => {
    const { ask } = await startControlApi();
    const headers = { "idempotency-key": "k-1" };
    await ask("POST", NAMESPACES, jsonBody({ id: "prod" }, headers));
    const { status, body: answer } = await ask(method, path, jsonBody(body, headers));
    expect([status, answer["code"]]).toEqual([422, "idempotency_key_reused"]);
  });

  it("of one API key is none of another", async () => {
    const { ask } = await startControlApi();
    const as = (name: string, id: string) =>
      ask("POST", NAMESPACES, jsonBody({ id }, { authorization: `Bearer ${name}`, "idempotency-key": "k" }));
    expect([(await as("one", "a")).status, (await as("two", "b")).status]).toEqual([201, 201]);
  });

  it.each(["", "a b", "x".repeat(129)])("that is malformed is a 400, and nothing runs: %j", async (key) => {
    const { ask, store } = await startControlApi();
    const { status, body } = await ask("POST", NAMESPACES, jsonBody({ id: "p" }, { "idempotency-key": key }));
    expect([status, body["code"]]).toEqual([400, "invalid_header"]);
    expect(store.rowTexts()).toEqual([]);
  });
});

describe("a rate limit", () => {
  // proves API-27
  it("of one key is a 429 with Retry-After, and neither other keys nor kill switches notice", async () => {
    const write = { burst: 2, perSecond: 0.001 };
    const { ask } = await startControlApi({
      parts: { rateLimits: new RateLimits(systemClock, { ...RATE_BUDGETS, write }) },
    });
    const create = (name: string, id: string) =>
      ask("POST", NAMESPACES, jsonBody({ id }, { authorization: `Bearer ${name}` }));
    const first = await create("one", "a");
    expect([first.status, first.headers.get("ratelimit"), first.headers.get("ratelimit-policy")]).toEqual([
      201,
      '"write";r=1;t=1000',
      '"write";q=2;w=2000',
    ]);
    await create("one", "b");
    const limited = await create("one", "c");
    expect([limited.status, limited.body["code"], limited.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      expect.stringMatching(/^[0-9]+$/),
    ]);
    expect((await create("two", "c")).status).toBe(201);
    const stop = { scope: "agent", target_id: "a-1", reason: "stop", activated_by: "me" };
    expect(
      (await ask("POST", "/v1/kill-switch", jsonBody(stop, { authorization: "Bearer one" }))).status,
    ).toBe(201);
  });
});

describe("a page of a browser", () => {
  const cors = { parts: { corsOrigins: new Set([LISTED]) } };
  const preflight = (origin: string) => ({
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  });

  // proves API-29
  it("of a listed origin may ask, and read the answer", async () => {
    const { ask } = await startControlApi(cors);
    const asked = await ask("OPTIONS", NAMESPACES, preflight(LISTED));
    expect([asked.status, asked.text]).toEqual([204, ""]);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      "access-control-allow-origin": LISTED,
      "access-control-allow-methods": expect.stringContaining("PATCH"),
      "access-control-allow-headers": expect.stringContaining("idempotency-key"),
      vary: expect.stringContaining("Origin"),
      "cache-control": "no-store",
    });
    const created = await ask("POST", NAMESPACES, jsonBody({ id: "prod" }, { origin: LISTED }));
    expect([
      created.status,
      created.headers.get("access-control-allow-origin"),
      created.headers.get("vary"),
    ]).toEqual([201, LISTED, "Origin"]);
    expect(created.headers.get("access-control-expose-headers")).toContain("etag");
    expect(created.headers.has("access-control-allow-credentials")).toBe(false);
    const refused = await ask("GET", `${NAMESPACES}/none`, { headers: { origin: LISTED } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([404, LISTED]);
  });

  // proves API-29
  it.each([
    OTHER,
    "null",
    "https://ops.example.com.evil.example",
    "https://OPS.example.com",
    "http://ops.example.com",
    "https://ops.example.com:444",
    "https://ops.example.com/",
    "*",
  ])("of another origin may neither ask, change nor read: %s", async (origin) => {
    const { ask, store } = await startControlApi(cors);
    const asked = await ask("OPTIONS", NAMESPACES, preflight(origin));
    const posted = await ask("POST", NAMESPACES, jsonBody({ id: "prod" }, { origin }));
    const read = await ask("GET", NAMESPACES, { headers: { origin } });
    expect([asked.status, posted.status, read.status]).toEqual([403, 403, 200]);
    for (const { headers } of [asked, posted, read]) {
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(posted.body["detail"]).toContain("SVC_CORS_ORIGINS");
    expect(store.rowTexts()).toEqual([]);
  });

  it("of the server's own address is served without being listed", async () => {
    const { ask } = await startControlApi();
    const url = "http://svc.test";
    const host = { host: "svc.test" };
    const own = await ask("POST", NAMESPACES, jsonBody({ id: "prod" }, { ...host, origin: url }));
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([201, null]);
    const other = await ask("POST", NAMESPACES, jsonBody({ id: "stage" }, { ...host, origin: `${url}1` }));
    expect(other.status).toBe(403);
  });

  // proves AUTH-11
  it.each([
    ["the public address", "svc.test", 201],
    ["this machine", "localhost:8080", 201],
    ["an IP address", "192.0.2.7:8080", 201],
    ["a name that leads here for this page alone", "rebound.example", 403],
  ])("under %s changes something or not, by Host", async (_, host, status) => {
    const { ask } = await startControlApi();
    const headers = { host, origin: `http://${host}` };
    expect((await ask("POST", NAMESPACES, jsonBody({ id: "prod" }, headers))).status).toBe(status);
  });

  it("leaves answers to others as they are, but for Vary where an origin is listed", async () => {
    const listed = await (await startControlApi(cors)).ask("GET", NAMESPACES);
    const none = await (await startControlApi()).ask("GET", NAMESPACES);
    expect([listed.headers.get("vary"), none.headers.get("vary")]).toEqual(["Origin", null]);
  });

  it("with a preflight request needs no key, and with the request itself does", async () => {
    const { ask } = await startControlApi(cors);
    const headers = { ...preflight(LISTED).headers, authorization: "Bearer x" };
    expect((await ask("OPTIONS", NAMESPACES, { headers })).status).toBe(204);
    const read = await ask("GET", NAMESPACES, { headers: { origin: LISTED, authorization: "Bearer x" } });
    expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([401, LISTED]);
  });

  it("repeats no Origin", async () => {
    const { port } = await startControlApi(cors);
    const head = `GET ${NAMESPACES} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const { statuses } = await rawExchange(port, `${head}Origin: ${LISTED}\r\nOrigin: ${OTHER}\r\n\r\n`);
    expect(statuses).toEqual([400]);
  });
});

describe("the caller's names of a request", () => {
  // proves API-26
  it("stand in the answer and in every log line", async () => {
    const { ask, lines } = await startControlApi();
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const headers = { "x-request-id": "deploy-42", traceparent };
    const answer = await ask("POST", NAMESPACES, jsonBody({ id: "prod" }, headers));
    expect([answer.headers.get("x-request-id"), answer.headers.get("traceparent")]).toEqual([
      "deploy-42",
      traceparent,
    ]);
    expect(lines).toMatchObject([{ msg: "namespace created", request_id: "deploy-42", trace_id: trace }]);
    const refused = await ask("GET", `${NAMESPACES}/none`, { headers });
    expect([refused.body["request_id"], refused.headers.get("x-request-id")]).toEqual([
      "deploy-42",
      "deploy-42",
    ]);
  });

  it("are replaced and ignored when they are malformed", async () => {
    const { ask } = await startControlApi();
    const headers = { "x-request-id": "a b", traceparent: "00-x" };
    const answer = await ask("GET", NAMESPACES, { headers });
    expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.headers.has("traceparent")).toBe(false);
  });
});

describe("a list", () => {
  // proves API-30
  it("links to its next page until it ends", async () => {
    const { ask } = await startControlApi();
    for (const id of ["a", "b", "c", "d"]) await ask("POST", NAMESPACES, jsonBody({ id }));
    const found: unknown[] = [];
    let next: string | undefined = `${NAMESPACES}?limit=2`;
    while (next !== undefined) {
      const { body, headers } = await ask("GET", next);
      found.push(...(body["namespaces"] as { id: string }[]).map(({ id }) => id));
      const link = headers.get("link");
      expect(link === null).toBe(body["next_cursor"] === null);
      next = /^<(.*)>; rel="next"$/.exec(link ?? "")?.[1];
    }
    expect(found).toEqual(["a", "b", "c", "d", "default"]);
  });
});

describe("an identifier in a path", () => {
  // proves API-25
  it.each([
    "team/prod",
    "a@b.example",
    "a:b",
    "a/b/c",
    "a.b",
    "x_y-z",
    "100%",
    "50% off",
    "ACME\\bob",
    "a?b&c=d+e#f",
    "Senior Researcher",
    "caf\u00e9",
    "\u691c\u7d22",
    "auth0|5f7c",
    "{x}",
    "a,b",
    "%zz",
  ])("stands percent-encoded in one segment: %s", async (id) => {
    const { ask } = await startControlApi();
    expect((await ask("POST", NAMESPACES, jsonBody({ id }))).status).toBe(201);
    const path = `${NAMESPACES}/${encodeURIComponent(id)}`;
    expect((await ask("GET", path)).body["id"]).toBe(id);
    expect((await ask("GET", `${path}/rogue-detection`)).body["namespace_id"]).toBe(id);
    expect((await ask("DELETE", path)).body["id"]).toBe(id);
    expect((await ask("GET", path)).status).toBe(404);
  });

  // proves API-25
  it.each([
    ["a double encoding", "/api/v1/namespaces/a%252Fb", 400],
    ["an encoded percent sign before digits", "/api/v1/namespaces/a%25%32%46", 400],
    ["NUL", "/api/v1/namespaces/a%00", 400],
    ["a line break", "/api/v1/namespaces/a%0d%0aX", 400],
    ["bytes that are not UTF-8", "/api/v1/namespaces/%ff", 400],
    ["a cut UTF-8 sequence", "/api/v1/namespaces/a%c3", 400],
    ["an overlong slash", "/api/v1/namespaces/%c0%af", 400],
    ["a surrogate", "/api/v1/namespaces/%ed%a0%80", 400],
    ["a cut escape", "/api/v1/namespaces/a%2", 400],
    ["an escape of other letters", "/api/v1/namespaces/a%u002f", 400],
    ["a dot segment", "/api/v1/namespaces/../policies", 400],
    ["an encoded dot segment", "/api/v1/namespaces/%2e%2e/policies", 400],
    ["a dot segment behind an encoded slash", "/api/v1/namespaces/a%2F../policies", 400],
    ["a dot segment between encoded slashes", "/api/v1/namespaces/a%2F..%2F..%2Fpolicies", 400],
    ["a dot segment before an encoded slash", "/api/v1/namespaces/..%2Fpolicies", 400],
    ["an empty segment by an encoded slash", "/api/v1/namespaces/%2Fprod", 400],
    ["two encoded slashes", "/api/v1/namespaces/a%2F%2Fb", 400],
    ["two encoded backslashes", "/api/v1/namespaces/a%5c%5cb", 400],
    ["a dot segment between encoded backslashes", "/api/v1/namespaces/a%5C..%5Cb", 400],
    ["an empty segment", "/api/v1/namespaces//rogue-detection", 400],
    ["a path with an encoded separator", "/api/v1%2Fnamespaces", 404],
    ["an encoded slash before a resource", "/api/v1/namespaces%2Fdefault", 404],
    ["an encoded sub-resource", "/api/v1/namespaces/default%2Frogue-detection", 404],
    ["an encoded letter of a fixed segment", "/api/v1/%6eamespaces", 404],
    ["another case", "/api/v1/Namespaces", 404],
    ["a look-alike", "/api/v1/namespaces/%ef%bc%8f", 404],
  ])("never becomes another path by %s", async (_name, target, expected) => {
    const { ask, port } = await startControlApi();
    await ask("POST", NAMESPACES, jsonBody({ id: "prod" }));
    const head = "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const { statuses, text } = await rawExchange(port, `GET ${target} ${head}`);
    expect([target, ...statuses]).toEqual([target, expected]);
    expect(text).toContain(expected === 400 ? '"code":"invalid_target"' : '"code":"not_found"');
  });
});
