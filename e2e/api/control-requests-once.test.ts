// peers: postgres
import { expect, it, vi } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { type Answer, createPolicy, send } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { type SharedStore, sharedDirectory, sharedPostgres } from "../support/server/shared-store.ts";

/** Policies that get one rollback each, all at once. */
const POLICIES = Array.from({ length: 60 }, (_, n) => `p-${String(n)}`);

/** Answers after which the process is killed, while other requests are being carried out. */
const ANSWERS_BEFORE_KILL = 10;

/** 202: the others still wait for the acknowledgement of the process that was killed. */
const DONE: ReadonlySet<number> = new Set([200, 202]);

const rollback = (url: string, id: string): Promise<Answer> =>
  send("POST", `${url}/api/v1/policies/${id}/rollback`, {
    body: { target_version: 1 },
    headers: { "idempotency-key": `rollback-${id}` },
  });

async function versionsOf(url: string, id: string): Promise<number> {
  const { body } = await send("GET", `${url}/api/v1/policies/${id}/versions`);
  return (body["versions"] as unknown[]).length;
}

async function expectOnce({ before, after }: SharedStore): Promise<void> {
  const first = await serverOfTest(before);
  for (const id of POLICIES) {
    const { status } = await createPolicy(first.url, `id: ${id}\ntools: { allowed: ['x.*'] }\n`);
    expect(status).toBe(201);
  }
  const answers = new Map<string, Answer>();
  const rollbacks = POLICIES.map(async (id) => {
    // A request that gets no answer is one that the kill has cut off.
    const answer = await rollback(first.url, id).catch(() => null);
    if (answer !== null) answers.set(id, answer);
  });
  await vi.waitFor(() => expect(answers.size).toBeGreaterThan(ANSWERS_BEFORE_KILL), {
    timeout: 20_000,
    interval: 1,
  });
  await first.stop("SIGKILL");
  await Promise.all(rollbacks);
  const second = await serverOfTest(after);
  for (const id of POLICIES) {
    const answered = answers.get(id);
    const repeats = [await rollback(second.url, id), await rollback(second.url, id)];
    const versions = await versionsOf(second.url, id);
    for (const { status, headers, body } of repeats) {
      if (DONE.has(status)) expect([id, versions]).toEqual([id, 2]);
      else expect([id, status, body]).toMatchObject([id, 409, { code: "request_in_flight" }]);
      if (answered === undefined || !DONE.has(answered.status)) continue;
      const same = [id, answered.status, "true", answered.body];
      expect([id, status, headers["idempotency-replayed"], body]).toEqual(same);
    }
    expect([id, versions]).toEqual([id, Math.min(versions, 2)]);
  }
}

// proves API-20, API-23
it("a control request runs once although its process is killed and its caller repeats it", async () => {
  await expectOnce(await sharedDirectory());
}, 120_000);

// proves API-20, API-23
// skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
it.skipIf(missing.postgres)(
  "a control request runs once although its caller repeats it at another process, on PostgreSQL",
  async () => {
    await expectOnce(await sharedPostgres());
  },
  120_000,
);
