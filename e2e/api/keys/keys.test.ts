// long: it rotates a key hundreds of times, and hundreds of keys
import { setTimeout as delay } from "node:timers/promises";
import { runs } from "@svc/text/testing/runs";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { PAYMENTS_POLICY } from "../../support/server/api.ts";
import {
  BOOTSTRAP_ENV,
  type Client,
  clientOf,
  issueKey,
  type MadeKey,
  operatorOf,
  rotateKey,
} from "../../support/server/api-keys.ts";
import { execute, keepCalling, serverWithPolicy, untilCalled } from "../../support/server/key-calls.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";

/** Admin keys that change keys at once. Each has a budget of requests of its own. */
const ADMINS = 20;

/** Keys, and rotations of one key, as count. */
const KEYS = runs(150, 1_000);

function makeAdmins(server: ServerProcess, operator: Client): Promise<readonly Client[]> {
  const make = async () => clientOf(server, (await issueKey(operator, { role: "admin" })).key);
  return Promise.all(Array.from({ length: ADMINS }, make));
}

/** Does something for each key, as many at once as there are admins. */
async function inTurns(
  admins: readonly Client[],
  work: (admin: Client, at: number) => Promise<void>,
): Promise<void> {
  const left = Array.from({ length: KEYS }, (_, at) => at);
  const worker = async (admin: Client): Promise<void> => {
    for (let at = left.pop(); at !== undefined; at = left.pop()) await work(admin, at);
  };
  await Promise.all(admins.map(worker));
}

describe("a rotation", () => {
  const OVERLAP_S = 3;

  // proves KEY-03
  it("of one key, again and again at once, loses no call, and ends earlier secrets on request", async () => {
    const { server, operator } = await serverWithPolicy();
    const first = await issueKey(operator);
    const secrets: MadeKey[] = [first];
    // Each call uses the secret that was issued last, as a fleet does while a rotation is rolled out.
    const calls = keepCalling(() => clientOf(server, secrets.at(-1)?.key ?? ""));
    await untilCalled(calls, 0);
    const admins = await makeAdmins(server, operator);
    await inTurns(admins, async (admin) => void secrets.push(await rotateKey(admin, first.id, 600)));
    expect(secrets).toHaveLength(KEYS + 1);
    expect(new Set((await calls.stop()).map(({ status }) => status))).toEqual(new Set([200]));
    const last = await rotateKey(operator, first.id, 0);
    const statuses = await Promise.all(
      secrets.map(async ({ key }) => (await execute(clientOf(server, key))).status),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect((await execute(clientOf(server, last.key))).status).toBe(200);
  }, 120_000);

  // proves KEY-03
  it("of many keys at once loses none, and accepts no earlier secret after its overlap", async () => {
    const { server, operator } = await serverWithPolicy();
    const admins = await makeAdmins(server, operator);
    const keys: MadeKey[] = [];
    await inTurns(admins, async (admin) => void keys.push(await issueKey(admin)));
    const rotated = new Map<string, { readonly before: string; readonly after: string; endsMs: number }>();
    await inTurns(admins, async (admin, at) => {
      const { id, key: before } = keys[at] ?? expect.unreachable("a key is missing");
      const { key: after } = await rotateKey(admin, id, OVERLAP_S);
      rotated.set(id, { before, after, endsMs: performance.now() + OVERLAP_S * 1_000 });
      const statuses = [await execute(clientOf(server, before)), await execute(clientOf(server, after))];
      // The earlier secret may have ended only if its overlap was over when the answer came.
      if (performance.now() < (rotated.get(id)?.endsMs ?? 0) - 1_000)
        expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
    });
    await delay(OVERLAP_S * 1_000);
    await inTurns(admins, async (_admin, at) => {
      const { before, after } =
        rotated.get(keys[at]?.id ?? "") ?? expect.unreachable("a rotation is missing");
      const statuses = [await execute(clientOf(server, before)), await execute(clientOf(server, after))];
      expect(statuses.map(({ status }) => status)).toEqual([401, 200]);
    });
  }, 180_000);
});

// proves KEY-06
it("a key that expires is refused from its end on, and accepted until then", async () => {
  const { server, operator } = await serverWithPolicy();
  const endsAtMs = Date.now() + 2_000;
  const { key } = await issueKey(operator, { expires_at: new Date(endsAtMs).toISOString() });
  const client = clientOf(server, key);
  let isOver = false;
  while (!isOver) {
    const beganAtMs = Date.now();
    const { status } = await execute(client);
    if (Date.now() < endsAtMs) expect(status).toBe(200);
    if (beganAtMs >= endsAtMs) expect(status).toBe(401);
    isOver = beganAtMs >= endsAtMs;
  }
}, 20_000);

// proves KEY-13
it("what was answered about a key holds after kill -9: a creation, a rotation and a revocation", async () => {
  const dataDir = await temporaryDirectory();
  const first = await serverOfTest({ dataDir, env: BOOTSTRAP_ENV });
  const operator = operatorOf(first);
  await operator("POST", "policies", { yaml: PAYMENTS_POLICY });
  const [created, rotated, revoked] = [
    await issueKey(operator),
    await issueKey(operator),
    await issueKey(operator),
  ];
  await operator("DELETE", `keys/${revoked.id}`);
  const renewed = await rotateKey(operator, rotated.id, 0);
  await first.stop("SIGKILL");
  const second = await serverOfTest({ dataDir, env: BOOTSTRAP_ENV });
  const statuses = await Promise.all(
    [created, renewed, rotated, revoked].map(
      async ({ key }) => (await execute(clientOf(second, key))).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 401, 401]);
}, 60_000);

describe("an agent key", () => {
  // proves AUTH-09, KEY-09
  it("is held to its agents, and its outcomes to its own calls", async () => {
    const { server, operator } = await serverWithPolicy();
    const bound = clientOf(server, (await issueKey(operator, { agents: ["agent-1"] })).key);
    const other = clientOf(server, (await issueKey(operator)).key);
    expect((await execute(bound, { agent_id: "agent-2" })).body).toMatchObject({ code: "forbidden" });
    const allowed = await execute(bound);
    expect(allowed).toMatchObject({ status: 200, body: { decision: "allow" } });
    const report = { json: { decision_id: allowed.body["decision_id"], status: "succeeded" } };
    const asked = [other, bound].map((client) => client("POST", "gateway/outcome", report));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 200]);
  });

  it("says who it is", async () => {
    const { server, operator } = await serverWithPolicy();
    const { id, key } = await issueKey(operator, { name: "payments", agents: ["agent-1"] });
    const { status, body } = await clientOf(server, key)("GET", "whoami");
    expect([status, body]).toMatchObject([
      200,
      { key_id: id, name: "payments", org_id: "default", role: "agent", agents: ["agent-1"] },
    ]);
  });
});
