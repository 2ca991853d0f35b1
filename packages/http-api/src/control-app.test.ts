import { Readable } from "node:stream";
import { fullPaths } from "@svc/api/match-path";
import { CONTROL_ROUTES } from "@svc/api/route-table";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { signExcerpt } from "@svc/audit-log/excerpt";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { parseExcerpt } from "@svc/audit-log/parse-excerpt";
import { verifyExcerpt } from "@svc/audit-log/verify-excerpt";
import { type Problem, problem } from "@svc/contract/problem";
import { adminPrincipal } from "@svc/contract/testing/principals";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { checkDocument, type DocumentCheck } from "@svc/policy-analysis/check-document";
import { systemClock } from "@svc/process/clock";
import type { AuditStore } from "@svc/store/ports/audit-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { KeyStore } from "@svc/store/ports/key-store";
import type { Ledger } from "@svc/store/ports/ledger";
import type { RequestKeyStore } from "@svc/store/ports/request-key-store";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { apiKey } from "@svc/store/testing/records";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Authenticate } from "./authentication.ts";
import { type ApiParts, controlApp } from "./control-app.ts";
import { AnswerOnce } from "./idempotency/answer-once.ts";
import { RateLimits } from "./rate-limits/rate-limits.ts";
import type { RefusedRequest } from "./refusal-log.ts";
import { askApp } from "./testing/ask-app.ts";
import { serveWeb } from "./web-app.ts";

const YAML = { "content-type": "application/yaml" };

/** What no test here reaches: a call of it fails the test. */
function unreachable<Port extends object>(name: string): Port {
  const refuse = (member: string | symbol) => () =>
    expect.unreachable(`${name}.${String(member)} was called`);
  return new Proxy({}, { get: (_target, member) => refuse(member) }) as Port;
}

function parts(): ApiParts & { readonly refused: RefusedRequest[]; readonly lines: string[] } {
  const refused: RefusedRequest[] = [];
  const lines: string[] = [];
  return {
    authenticate: ({ headers }) =>
      headers.authorization === undefined
        ? { kind: "principal", principal: adminPrincipal(), refusal: () => null }
        : { kind: "problem", problem: problem("unauthenticated", "no key") },
    controlPlane: {
      ...unreachable<ControlPlanePorts>("ports"),
      documents: { check: async (text) => checkDocument(text) },
    },
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    noteRefusal: (one) => void refused.push(one),
    answerOnce: new AnswerOnce({
      keys: unreachable<RequestKeyStore>("request keys"),
      clock: systemClock,
      log: pino({ enabled: false }),
    }),
    rateLimits: new RateLimits(systemClock),
    corsOrigins: new Set(),
    audit: unreachable<AuditStore>("audit"),
    auditIndex: unreachable<AuditIndex>("audit index"),
    ledger: unreachable<Ledger>("ledger"),
    keys: unreachable<KeyStore>("keys"),
    verifierKeys: () => Promise.resolve([]),
    checkpoint: async () => expect.unreachable("a checkpoint was signed"),
    signExcerpt: () => expect.unreachable("an excerpt was signed"),
    signCertificate: () => expect.unreachable("a certificate was signed"),
    answerGraphql: async () => null,
    eventStreams: { open: async () => expect.unreachable("a stream was opened") },
    refused,
    lines,
  };
}

function serve(changed: Partial<ApiParts> = {}) {
  const known = { ...parts(), ...changed };
  const app = controlApp(known);
  const ask = async (method: string, path: string, init: RequestInit = {}) =>
    read(await askApp(app, method, path, init));
  return { ...known, ask };
}

/** With a listener, for an answer in pieces. */
async function listenAndServe(changed: Partial<ApiParts>) {
  const known = { ...parts(), ...changed };
  const log = { error: () => expect.unreachable("a request failed") };
  const server = createEdgeServer({
    handle: serveWeb(controlApp(known), log),
    onError: (error) => expect.unreachable(String(error)),
  });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close(0));
  const ask = async (method: string, path: string) =>
    read(await fetch(`${listening.url}${path}`, { method }));
  return { ...known, ask };
}

async function read(answer: Response) {
  const text = await answer.text();
  const body = /[/+]json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : {};
  return { status: answer.status, headers: answer.headers, text, body: body as Record<string, unknown> };
}

const routes = Object.values(CONTROL_ROUTES).flatMap((route) =>
  fullPaths(route).map((path) => [route.method, path.replaceAll(/\{[a-z_]+\}/g, "1")] as const),
);

describe("every route", () => {
  it("is walked here", () => {
    expect(new Set(routes.map(String)).size).toBeGreaterThan(25);
  });

  // proves API-11
  it.each(routes)("%s %s refuses a query parameter that it does not have", async (method, path) => {
    const { ask } = serve();
    const { status, body } = await ask(method, `${path}?agnt_id=x`);
    expect([status, body["code"]]).toEqual([400, "invalid_request"]);
    expect(body["detail"]).toMatch(/^Unknown query parameter "agnt_id"/);
  });

  it("names the filter by an id when only its first word was sent", async () => {
    const { ask } = serve();
    const { body } = await ask("GET", "/api/v1/audit?agent=x");
    expect(body["detail"]).toContain("Did you mean agent_id?");
  });

  it.each(routes)(
    "%s %s refuses credentials before anything else, with an id that is noted",
    async (method, path) => {
      const { ask, refused } = serve();
      const { status, headers } = await ask(method, `${path}?agnt_id=x`, {
        headers: { authorization: "Bearer x" },
      });
      expect(status).toBe(401);
      expect(refused).toMatchObject([{ code: "unauthenticated", requestId: headers.get("x-request-id") }]);
    },
  );
});

describe("policy documents of one key", () => {
  // proves API-33
  it("are refused beyond sixteen that are not read yet", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = async (): Promise<DocumentCheck> => {
      await promise;
      return { kind: "invalid", diagnostics: [] };
    };
    const { ask } = serve({ controlPlane: { ...parts().controlPlane, documents: { check } } });
    const init = { body: "id: p", headers: YAML };
    const asked = Array.from({ length: 17 }, () => ask("POST", "/v1/policies/validate", init));
    const refused = await Promise.race(asked);
    expect([refused.status, refused.body["code"]]).toEqual([503, "compiler_unavailable"]);
    resolve();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
  });
});

describe("a query parameter", () => {
  // proves API-11
  it.each([
    ["POST", "/v1/policies?dryrun=true", "Did you mean dry_run?"],
    ["GET", "/v1/kill-switch?statu=active", "Did you mean status?"],
    ["GET", "/v1/policies?Limit=5", "Did you mean limit?"],
    ["GET", "/v1/audit/public-key?agent_id=a", "This route takes none."],
    ["GET", "/v1/audit/export?agentid=a", "Did you mean agent_id?"],
  ])("%s %s is answered with the name that was meant", async (method, path, hint) => {
    const { ask } = serve();
    expect((await ask(method, path)).body["detail"]).toContain(hint);
  });

  it.each(["/v1/policies?limit=1&limit=2", "/v1/policies?limit=0", "/v1/policies?dry_run=true"])(
    "is refused when it is repeated, out of range or not for this method: %s",
    async (path) => {
      const { ask } = serve();
      expect((await ask("GET", path)).status).toBe(400);
    },
  );

  // proves API-11
  it("behind a question mark in a value counts, so that a dry run stays one", async () => {
    const { ask } = serve();
    const init = { body: "id: p", headers: YAML };
    const dry = await ask("POST", "/v1/policies?why=ready?&dry_run=true", init);
    expect([dry.status, dry.body["dry_run"]]).toEqual([200, true]);
    const unknown = await ask("POST", "/v1/policies?why=ready?&dryrun=true", init);
    expect([unknown.status, unknown.body["code"]]).toEqual([400, "invalid_request"]);
  });

  it.each(["strict=yes", "dry_run=1", "dry_run="])(
    "that is a flag takes true and false alone: %s",
    async (query) => {
      const { ask } = serve();
      const answer = await ask("POST", `/v1/policies?${query}`, { body: "id: p", headers: YAML });
      expect([answer.status, answer.body["detail"]]).toEqual([400, expect.stringContaining("true, false")]);
    },
  );
});

describe("a request that no route takes", () => {
  // proves API-12
  it.each([
    ["DELETE", "/v1/policies/p", "Method not allowed. Use GET or PUT or PATCH.", "GET, PUT, PATCH"],
    ["POST", "/api/v1/audit/export", "Method not allowed. Use GET.", "GET"],
    ["PATCH", "/v1/kill-switch/ks_1", "Method not allowed. Use GET or DELETE.", "GET, DELETE"],
  ])("%s %s is a 405 that names the methods", async (method, path, detail, allow) => {
    const { ask, refused } = serve();
    const { status, headers, body } = await ask(method, path);
    expect([status, headers.get("allow"), body["detail"]]).toEqual([405, allow, detail]);
    expect(refused).toMatchObject([{ code: "method_not_allowed", requestId: body["request_id"] }]);
  });

  // proves API-12
  it.each([
    ["/v1/kill-switches", "Did you mean /v1/kill-switch?"],
    ["/api/v1/policy", "/docs lists the routes"],
    ["/api/v1/gateway/excute", "Did you mean /api/v1/gateway/execute?"],
    ["/api/v1/gateway/exec", "Did you mean /api/v1/gateway/execute?"],
    ["/gateway/execute", "Did you mean /api/v1/gateway/execute?"],
    ["/kill-switches", "Did you mean /api/v1/kill-switch?"],
    ["/v1/policies/", "Did you mean /v1/policies?"],
    ["/v1/policies/p/", "/docs lists the routes"],
    ["/nowhere", "/docs lists the routes"],
  ])("%s is a 404 that helps", async (path, hint) => {
    const { ask, refused } = serve();
    const { status, body } = await ask("GET", path);
    expect([status, body["detail"]]).toEqual([404, expect.stringContaining(hint)]);
    expect(refused).toMatchObject([{ code: "not_found", requestId: body["request_id"] }]);
  });
});

describe("a policy document", () => {
  const BROKEN = "id: p\ntools: { allowd: [x] }\n";

  // proves POL-42
  it.each(["application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml; charset=utf-8"])(
    "is taken as %s",
    async (type) => {
      const { ask } = serve();
      const answer = await ask("POST", "/v1/policies?dry_run=true", {
        body: "id: p\ntools: { allowed: [x] }\n",
        headers: { "content-type": type },
      });
      expect([answer.status, answer.body["dry_run"], answer.body["id"]]).toEqual([200, true, "p"]);
    },
  );

  // proves POL-42
  it("sent as a form is answered with the options that curl needs", async () => {
    const { ask } = serve();
    const answer = await ask("POST", "/v1/policies", {
      body: "id: p",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([answer.status, answer.body["detail"]]).toEqual([
      415,
      expect.stringContaining("--data-binary @file"),
    ]);
  });

  // proves POL-43
  it("shows its findings as lines of a terminal when plain text is asked for", async () => {
    const { ask } = serve();
    const headers = { ...YAML, accept: "text/plain" };
    const { status, headers: answered, text } = await ask("POST", "/v1/policies", { body: BROKEN, headers });
    expect([status, answered.get("content-type")]).toEqual([422, "text/plain; charset=utf-8"]);
    expect(text).toMatch(
      /^policy:2:\d+: error: .*\[policy\/unknown-key\]\n {2}2 \| tools: \{ allowd: \[x\] \}\n/,
    );
    expect(text).toMatch(/fix: {6}did you mean allowed\?/);
    expect(text).toMatch(/\nRefused: 1 error\.\n$/);
  });

  // proves POL-41, POL-43
  it("whose line breaks were lost says so on a terminal too", async () => {
    const { ask } = serve();
    const headers = { ...YAML, accept: "text/plain" };
    const { status, text } = await ask("POST", "/v1/policies", {
      body: BROKEN.replaceAll("\n", ""),
      headers,
    });
    expect([status, text]).toEqual([
      422,
      expect.stringMatching(/^The policy document came .*--data-binary @file\.\n$/),
    ]);
  });

  // proves POL-33
  it("that is valid says that nothing was stored", async () => {
    const { ask } = serve();
    const init = { body: "id: p\ntools: { allowed: [x] }\n", headers: { ...YAML, accept: "text/plain" } };
    const { text } = await ask("POST", "/v1/policies?dry_run=true", init);
    expect(text).toBe("The document of policy p is valid: no findings. Dry run: nothing was stored.\n");
  });
});

// proves OPS-16
it.each([
  ["a defect", "/v1/audit/public-key", 500],
  ["a fault of the store", "/v1/policies/p", 503],
  ["a fault of the audit log", "/v1/audit/checkpoints", 503],
])("%s is logged with the id of its answer", async (_name, path, expected) => {
  const keys = { toJSON: () => expect.unreachable("defect") } as unknown as readonly string[];
  const verifierKeys = () => Promise.resolve(keys);
  const { ask, lines } = serve({ verifierKeys });
  const { status, body } = await ask("GET", path);
  expect(status).toBe(expected);
  expect(JSON.parse(lines.at(-1) ?? "{}")).toMatchObject({ request_id: body["request_id"], level: 50 });
});

const ROW = { v: 1, kind: "key", time: "2026-01-01T00:00:00.000Z" };

/** A store whose log `gw` holds one row of an organization. */
async function storeWithRowOf(org: string) {
  const store = openMemoryStore({ logId: "gw" });
  const row = JSON.stringify({ ...ROW, org });
  await store.ledger.commit([{ row, claims: NO_CLAIMS }]);
  return store;
}

const signNothing = async (): Promise<void> => undefined;

// proves AUD-32
it("an export is an excerpt while a key of another organization exists", async () => {
  const { audit, keys, ledger } = await storeWithRowOf("other");
  await ledger.commit([{ row: JSON.stringify({ ...ROW, org: "default" }), claims: NO_CLAIMS }]);
  const made = {
    org: "default",
    auditRow: JSON.stringify({ ...ROW, org: "other" }),
    actor: null,
    at: ROW.time,
  };
  await keys.createKey({ ...made, key: apiKey("foreign", { org: "other" }) });
  const signer = parseSigner("svc-test", generateSigningKey());
  const { ask } = await listenAndServe({
    audit,
    keys,
    checkpoint: signNothing,
    signExcerpt: (excerpt) => signExcerpt(signer, excerpt),
  });
  const { status, text } = await ask("GET", "/v1/audit/export");
  expect(status).toBe(200);
  expect(text).not.toContain("other");
  const evidence = Readable.from([]);
  const records = parseExcerpt(Readable.from([Buffer.from(text)]));
  const reports = await verifyExcerpt({ records, evidence, keys: [signer.verifier] });
  expect(reports).toMatchObject([{ logId: "gw", verdict: "intact", rows: 1, leftOut: 2 }]);
});

// proves AUD-32
it("an export that meets a row of another organization breaks off, and the log says why", async () => {
  const { audit, keys } = await storeWithRowOf("other");
  const { ask, lines } = await listenAndServe({ audit, keys, checkpoint: signNothing });
  await expect(ask("GET", "/v1/audit/export")).rejects.toThrow();
  expect(lines.join("")).toContain("row 0 of the log gw belongs to another organization");
});

// proves KEY-04
it("an export breaks off when its key is revoked meanwhile", async () => {
  const { audit, keys, ledger } = await storeWithRowOf("default");
  const row = JSON.stringify({ org: "default", args: "x".repeat(1024 * 1024) });
  await ledger.commit([{ row, claims: NO_CLAIMS }]);
  let refusal: Problem | null = null;
  const exportRows: AuditStore["exportRows"] = (range) => {
    if (range.from > 0) refusal = problem("unauthenticated", "revoked");
    return audit.exportRows(range);
  };
  const authenticate: Authenticate = () => ({
    kind: "principal",
    principal: adminPrincipal(),
    refusal: () => refusal,
  });
  const known = await listenAndServe({
    authenticate,
    audit: { ...audit, exportRows },
    keys,
    checkpoint: signNothing,
  });
  await expect(known.ask("GET", "/v1/audit/export")).rejects.toThrow();
  expect(known.lines.join("")).toContain("the key of the request ended: unauthenticated");
});

describe("an export that the store fails", () => {
  const broken = async (): Promise<never> => {
    throw new Error("the reader thread ended: it is stuck");
  };

  // proves FAIR-13
  it("is answered with 503 when nothing could be read, and may be asked for again", async () => {
    const { audit, keys } = await storeWithRowOf("default");
    const { ask } = await listenAndServe({
      audit: { ...audit, checkpoints: broken },
      keys,
      checkpoint: signNothing,
    });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, body } = await ask("GET", "/v1/audit/export");
      expect([status, body["code"]]).toEqual([503, "unavailable"]);
    }
    expect((await ask("GET", "/v1/audit/checkpoints")).status).toBe(503);
  });

  // proves FAIR-13
  it("breaks off when it had begun, so that no client takes it for whole", async () => {
    const { audit, keys, ledger } = await storeWithRowOf("default");
    const row = JSON.stringify({ org: "default", args: "x".repeat(1024 * 1024) });
    await ledger.commit([{ row, claims: NO_CLAIMS }]);
    const exportRows: AuditStore["exportRows"] = (range) =>
      range.from === 0 ? audit.exportRows(range) : broken();
    const known = await listenAndServe({ audit: { ...audit, exportRows }, keys, checkpoint: signNothing });
    await expect(known.ask("GET", "/v1/audit/export")).rejects.toThrow();
    expect(known.lines.join("")).toContain("an export broke off");
  });
});
