import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { problem } from "@svc/contract/problem";
import { adminPrincipal } from "@svc/contract/testing/principals";
import type { Gateway } from "@svc/gateway/gateway";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Authenticate } from "./authentication.ts";
import { KillSwitchFeedEndpoint } from "./kill-switch-feed-endpoint.ts";

const letIn: Authenticate = () => ({
  kind: "principal",
  principal: adminPrincipal(),
  refusal: () => null,
});
const keepOut: Authenticate = () => ({ kind: "problem", problem: problem("unauthenticated", "no key") });

type News = ReturnType<Gateway["killSwitchesSince"]>;

const recordOf = (id: string): KillSwitchRecord =>
  ({
    kill_switch_id: id,
    scope: "agent",
    target_id: "a",
    account_wide: false,
    status: "active",
    reason: "a secret reason",
  }) as KillSwitchRecord;

/** A gateway whose news the test writes; `wake` says that there is some. */
class FakeGateway {
  readonly asked: [string, number | null][] = [];
  readonly followers = new Set<() => void>();
  news: News = { epoch: "e", revision: 7, isComplete: false, records: [] };
  isVerified = true;
  /** Null: the store does not answer. */
  ended: KillSwitchRecord[] | null = [];

  killSwitchesSince(org: string, after: number | null): News {
    this.asked.push([org, after]);
    return this.news;
  }

  followKillSwitches(_org: string, wake: () => void): () => void {
    this.followers.add(wake);
    return () => this.followers.delete(wake);
  }

  controlStateVerified(): boolean {
    return this.isVerified;
  }

  async endedSwitches(_org: string): Promise<readonly KillSwitchRecord[]> {
    if (this.ended === null) throw new Error("the store is away");
    return this.ended;
  }

  tell(news: News): void {
    this.news = news;
    for (const wake of this.followers) wake();
  }
}

async function serve(authenticate = letIn, maxFollowersPerKey = 100) {
  const gateway = new FakeGateway();
  const feed = new KillSwitchFeedEndpoint({
    gateway,
    authenticate,
    noteRefusal: () => undefined,
    warn: () => undefined,
    endedSwitches: (org) => gateway.endedSwitches(org),
    maxFollowersPerKey,
  });
  const server = createEdgeServer({
    handle: (request, response) => feed.serve(request, response),
    onError: (error) => expect.unreachable(String(error)),
  });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close(0));
  const get = async (query = "", init: RequestInit = {}) => {
    const response = await fetch(`${listening.url}/${query}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { gateway, get };
}

// proves MCP-22
describe("gateway/kill-switches", () => {
  it("answers news at once, with what a follower needs and no more", async () => {
    const { gateway, get } = await serve();
    gateway.news = { epoch: "e", revision: 7, isComplete: true, records: [recordOf("ks_1")] };
    expect(await get()).toEqual({
      status: 200,
      body: {
        epoch: "e",
        revision: 7,
        complete: true,
        kill_switches: [
          { kill_switch_id: "ks_1", scope: "agent", target_id: "a", account_wide: false, status: "active" },
        ],
        ended: [],
      },
    });
    expect(gateway.asked[0]).toEqual(["default", null]);
    await get("?after=6");
    expect(gateway.asked.at(-1)).toEqual(["default", 6]);
  });

  // proves MCP-28
  it("sends ended switches with a complete list, and no list when the store does not tell them", async () => {
    const { gateway, get } = await serve();
    gateway.news = { epoch: "e", revision: 7, isComplete: true, records: [] };
    gateway.ended = [{ ...recordOf("ks_1"), status: "inactive" }];
    const ended = { kill_switch_id: "ks_1", scope: "agent", target_id: "a", account_wide: false };
    expect((await get()).body["ended"]).toEqual([{ ...ended, status: "inactive" }]);
    gateway.news = { epoch: "e", revision: 7, isComplete: false, records: [recordOf("ks_2")] };
    expect((await get("?after=6")).body).not.toHaveProperty("ended");
    gateway.news = { epoch: "e", revision: 7, isComplete: true, records: [] };
    gateway.ended = null;
    expect(await get()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });

  it("holds a question until there is news", async () => {
    const { gateway, get } = await serve();
    const answer = get("?after=7");
    await expect.poll(() => gateway.followers.size).toBe(1);
    gateway.tell({ epoch: "e", revision: 8, isComplete: false, records: [recordOf("ks_2")] });
    expect(await answer).toMatchObject({
      body: { revision: 8, kill_switches: [{ kill_switch_id: "ks_2" }] },
    });
    expect(gateway.followers.size).toBe(0);
  });

  // proves KEY-04
  it("tells nothing to a key that was revoked while it waited", async () => {
    let isRevoked = false;
    const { gateway, get } = await serve(() => ({
      kind: "principal",
      principal: adminPrincipal({ role: "adapter" }),
      refusal: () => (isRevoked ? problem("unauthenticated", "revoked") : null),
    }));
    const answer = get("?after=7");
    await expect.poll(() => gateway.followers.size).toBe(1);
    isRevoked = true;
    gateway.tell({ epoch: "e", revision: 8, isComplete: false, records: [recordOf("ks_2")] });
    expect(await answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  it("refuses a key without the scope", async () => {
    const principal = adminPrincipal({ role: "agent" });
    const { get } = await serve(() => ({ kind: "principal", principal, refusal: () => null }));
    expect(await get()).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("answers that there is none after a while, and forgets who has gone", async () => {
    const { gateway, get } = await serve();
    expect(await get("?after=7")).toMatchObject({ status: 200, body: { revision: 7, kill_switches: [] } });
    const leaving = new AbortController();
    const left = get("?after=7", { signal: leaving.signal });
    await expect.poll(() => gateway.followers.size).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow(Error);
    await expect.poll(() => gateway.followers.size).toBe(0);
  });

  it("says nothing while control state is not verified", async () => {
    const { gateway, get } = await serve();
    gateway.isVerified = false;
    gateway.news = { epoch: "e", revision: 7, isComplete: true, records: [recordOf("ks_1")] };
    expect(await get()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });

  it("sends a long list whole", async () => {
    const { gateway, get } = await serve();
    const records = Array.from({ length: 20_001 }, (_, index) => recordOf(`ks_${String(index)}`));
    gateway.news = { epoch: "e", revision: 7, isComplete: true, records };
    const { body } = await get();
    const ids = (body["kill_switches"] as { kill_switch_id: string }[]).map((each) => each.kill_switch_id);
    expect(ids).toEqual(records.map((each) => each.kill_switch_id));
  });

  it("is for those who may ask for decisions, by GET, and takes after alone", async () => {
    const { get } = await serve();
    expect(await get("", { method: "POST" })).toMatchObject({ status: 405 });
    for (const query of [
      "?",
      "?after=",
      "?after=-1",
      "?after=1&after=2",
      "?x=1",
      "?after=1&x=1",
      "?after=01",
    ])
      expect(await get(query)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    const closed = await serve(keepOut);
    expect(await closed.get()).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(closed.gateway.asked).toEqual([]);
  });
});

// proves FAIR-14
it("one key with too many followers keeps no other key from following", async () => {
  const byName: Authenticate = ({ headers }) => {
    const id = headers.authorization ?? "";
    return { kind: "principal", principal: adminPrincipal({ id }), refusal: () => null };
  };
  const { gateway, get } = await serve(byName, 2);
  const as = (id: string) => get("?after=7", { headers: { authorization: id } });
  const followers = [as("one"), as("one")];
  await expect.poll(() => gateway.followers.size).toBe(2);
  const beyond = await as("one");
  expect([beyond.status, beyond.body["detail"]]).toEqual([503, expect.stringContaining("with this key")]);
  const other = as("two");
  await expect.poll(() => gateway.followers.size).toBe(3);
  gateway.tell({ epoch: "e", revision: 8, isComplete: false, records: [recordOf("ks_1")] });
  const statuses = (await Promise.all([...followers, other])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await as("one")).status).toBe(200);
});
