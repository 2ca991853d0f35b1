// peers: postgres
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import {
  type ClusterListener,
  MAX_CLUSTER_MEMBERS,
  type ProcessRole,
  TooManyMembersError,
} from "../ports/cluster.ts";
import { startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { killSwitch } from "../testing/records.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const FACTS = { host: "host", version: "1", role: "gateway", startedAt: "2026-01-01T00:00:00.000Z" } as const;

describePostgres("the processes of a database", (server) => {
  async function member(url: string, logId: string, role: ProcessRole = "all") {
    const store = await openPostgresStore({ url, logId });
    onTestFinished(() => store.close());
    const { cluster } = store;
    if (cluster === null) throw new Error("a store of several processes");
    const heard = { changes: 0, questions: [] as string[] };
    const listener: ClusterListener = {
      onChange: () => void (heard.changes += 1),
      onQuestion: ({ id, text }) => void heard.questions.push(`${id} ${text}`),
    };
    cluster.listen(listener, role);
    await cluster.join(FACTS);
    return { store, cluster, heard };
  }

  it("see each other, and what each has applied", async () => {
    const url = await server().createDatabase();
    const [one, two] = await Promise.all([member(url, "log-a"), member(url, "log-b")]);
    expect(await one.cluster.beat({ applied: 3, controlAgeMs: 12.5, decisionsPerSecond: 1.5 })).toBe(true);
    await two.cluster.acknowledge(4, []);
    const { members, head } = await two.cluster.view();
    expect(head).toBe(0);
    expect(members).toMatchObject([
      { id: "log-a", ...FACTS, applied: 3, controlAgeMs: 13, decisionsPerSecond: 1.5, beat: 2 },
      { id: "log-b", ...FACTS, applied: 4, controlAgeMs: null, beat: 1 },
    ]);
    await one.cluster.saySigns("one");
    await one.cluster.saySigns("two");
    expect(await two.cluster.signs()).toEqual([{ memberId: "log-a", text: "two" }]);
    await one.cluster.leave();
    expect(await two.cluster.signs()).toEqual([]);
    expect((await two.cluster.view()).members.map(({ id }) => id)).toEqual(["log-b"]);
    expect(await one.cluster.beat({ applied: 3, controlAgeMs: null, decisionsPerSecond: 0 })).toBe(false);
    await one.cluster.join(FACTS);
    expect((await two.cluster.view()).members).toHaveLength(2);
  });

  it("do not acknowledge to a database that was restored from a backup", async () => {
    const url = await server().createDatabase();
    const { cluster } = await member(url, "log-a");
    const report = { applied: 7, controlAgeMs: 0, decisionsPerSecond: 0 };
    for (let beats = 0; beats < 3; beats += 1) expect(await cluster.beat(report)).toBe(true);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("UPDATE cluster_members SET beat = 2, applied_revision = 5");
    await client.end();
    await cluster.acknowledge(8, []);
    expect(await cluster.beat(report)).toBe(false);
    expect((await cluster.view()).members).toMatchObject([{ applied: 5 }]);
    await cluster.join(FACTS);
    expect(await cluster.beat(report)).toBe(true);
    await cluster.acknowledge(9, []);
    expect((await cluster.view()).members).toMatchObject([{ applied: 9 }]);
  });

  it("hear of each change of control state and of questions, and read answers", async () => {
    const url = await server().createDatabase();
    const [one, two] = await Promise.all([member(url, "log-a"), member(url, "log-b")]);
    await expect.poll(() => two.heard.changes).toBeGreaterThan(0);
    const before = two.heard.changes;
    await one.store.killSwitches.activateKillSwitch({ org: "o", auditRow: "{}", record: killSwitch("ks-1") });
    await expect.poll(() => two.heard.changes).toBe(before + 1);
    expect((await two.cluster.view()).head).toBe(1);
    await one.cluster.ask({ id: "ask_1", text: '{"kind":"a b"}' });
    await expect.poll(() => two.heard.questions).toEqual(['ask_1 {"kind":"a b"}']);
    await two.cluster.answer("ask_1", '{"b":1}');
    await two.cluster.answer("ask_1", '{"b":2}');
    expect(await one.cluster.answersTo("ask_1")).toEqual([
      { questionId: "ask_1", memberId: "log-b", text: '{"b":1}' },
    ]);
    await expect(one.cluster.ask({ id: "ask_2", text: "x".repeat(8_000) })).rejects.toThrow("too long");
  });

  it("answer with the acknowledgement, once, and only as a member", async () => {
    const url = await server().createDatabase();
    const [one, two] = await Promise.all([member(url, "log-a"), member(url, "log-b")]);
    const answer = { questionId: "effect_1", text: "{}" };
    await two.cluster.acknowledge(1, [answer, { ...answer, questionId: "effect_2" }]);
    await two.cluster.acknowledge(2, [{ ...answer, text: "changed" }]);
    await one.cluster.acknowledge(1, []);
    expect(
      (await one.cluster.caughtUp(1, "effect_1")).toSorted((a, b) => a.memberId.localeCompare(b.memberId)),
    ).toEqual([
      { memberId: "log-a", text: null },
      { memberId: "log-b", text: "{}" },
    ]);
    expect(await one.cluster.caughtUp(2, "effect_1")).toEqual([{ memberId: "log-b", text: "{}" }]);
    expect(await one.cluster.caughtUp(3, "effect_1")).toEqual([]);
    await one.cluster.forgetAnswers();
    expect(await one.cluster.answersTo("effect_2")).toHaveLength(1);
    await one.cluster.leave();
    await one.cluster.acknowledge(9, [{ ...answer, questionId: "effect_9" }]);
    expect(await two.cluster.answersTo("effect_9")).toEqual([]);
  });

  // proves KILL-39
  it("know who had to acknowledge a switch, who has, and who joined later", async () => {
    const url = await server().createDatabase();
    const [one, two] = await Promise.all([member(url, "log-a"), member(url, "log-b", "gateway")]);
    const record = killSwitch("ks-1");
    await one.store.killSwitches.activateKillSwitch({ org: "o", auditRow: "{}", record });
    const unacknowledged = { epoch: 1, host: "host", version: "1", role: "gateway", acknowledgedMs: null };
    const before = await two.cluster.reach("o", "ks-1");
    expect(before.reached).toEqual([
      { id: "log-a", ...unacknowledged },
      { id: "log-b", ...unacknowledged },
    ]);
    expect(before.members).toMatchObject([{ joinedRevision: 0 }, { joinedRevision: 0 }]);
    await two.cluster.acknowledge(0, []);
    expect((await one.cluster.reach("o", "ks-1")).reached).toEqual(before.reached);
    await two.cluster.acknowledge(1, []);
    const three = await member(url, "log-c");
    await one.cluster.beat({ applied: 2, controlAgeMs: 0, decisionsPerSecond: 0 });
    const after = await three.cluster.reach("o", "ks-1");
    expect(after.head).toBe(1);
    const [first, second] = after.reached.map(({ acknowledgedMs }) => acknowledgedMs ?? 0);
    expect(first).toBeGreaterThanOrEqual(before.nowMs);
    expect(second).toBeLessThanOrEqual(first ?? 0);
    expect(after.members).toMatchObject([
      { id: "log-a" },
      { id: "log-b" },
      { id: "log-c", joinedRevision: 1 },
    ]);
    expect(after.members[2]?.joinedMs).toBeGreaterThanOrEqual(before.nowMs);
    await two.cluster.acknowledge(2, []);
    await two.cluster.leave();
    const gone = await one.cluster.reach("o", "ks-1");
    expect(gone.reached).toEqual(after.reached);
    expect(gone.members.map(({ id }) => id)).toEqual(["log-a", "log-c"]);
    expect((await one.cluster.reach("other", "ks-1")).reached).toEqual([]);
  });

  it("hear what their role needs", async () => {
    const url = await server().createDatabase();
    const [gateway, control] = [await member(url, "log-a", "gateway"), await member(url, "log-b", "control")];
    await expect.poll(() => Math.min(gateway.heard.changes, control.heard.changes)).toBeGreaterThan(0);
    await gateway.cluster.ask({ id: "ask_2", text: "{}" });
    await expect.poll(() => gateway.heard.questions).toEqual(["ask_2 {}"]);
    expect(control.heard.questions).toEqual([]);
  });

  it("S1: connect again by themselves, and then count on having missed a change", async () => {
    const url = await server().createDatabase();
    const link = await startDatabaseLink(url);
    onTestFinished(() => link.close());
    const { heard, cluster } = await member(link.url, "log-a");
    await link.cut();
    await expect(cluster.view()).rejects.toThrow();
    const before = heard.changes;
    await link.mend();
    await expect.poll(() => heard.changes, { timeout: 5_000 }).toBeGreaterThan(before);
    expect((await cluster.view()).members.map(({ id }) => id)).toEqual(["log-a"]);
  });

  it("take one connection, however many ask at once", async () => {
    const url = await server().createDatabase();
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { cluster, store } = await member(url, "log-a");
    await Promise.all([1, 2, 3, 4].map(async () => cluster.view()));
    const counted = new Client({ connectionString: url });
    await counted.connect();
    const { rows } = await counted.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%cluster_members%'`,
    );
    await counted.end();
    expect(store.logId).toBe("log-a");
    // This query, and the connection that asked last.
    expect(rows).toHaveLength(2);
    // The driver warns of statements that it has to queue by itself.
    expect(warnings).toEqual([]);
  });

  it("S1: give up a connection that stays silent", async () => {
    const url = await server().createDatabase();
    const link = await startDatabaseLink(url);
    onTestFinished(() => link.close());
    const { cluster } = await member(link.url, "log-a");
    link.freeze();
    await expect(cluster.view()).rejects.toThrow(/no answer from PostgreSQL/);
    await link.mend();
    await expect
      .poll(async () => (await cluster.view().catch(() => null))?.members.length, { timeout: 10_000 })
      .toBe(1);
  });

  it("forget a member that has given no other sign of life", async () => {
    const url = await server().createDatabase();
    const { cluster } = await member(url, "log-a");
    const { members: before } = await cluster.view();
    await cluster.beat({ applied: 0, controlAgeMs: 0, decisionsPerSecond: 0 });
    await cluster.forget(before);
    const { members: after } = await cluster.view();
    expect(after).toHaveLength(1);
    await cluster.forget(after);
    expect((await cluster.view()).members).toEqual([]);
  });

  it("read the reach of a switch in time when 999 processes have ended without leaving", async () => {
    const url = await server().createDatabase();
    const { store, cluster } = await member(url, "log-a");
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`
      INSERT INTO cluster_members (id, epoch, host, version, role, started_at, applied_revision,
          control_age_ms, decisions_per_second, beat, last_seen_ms)
        SELECT 'ended-' || n, 1, 'host', '1', 'gateway', '2026-01-01T00:00:00.000Z', 0, 0, 0, 1, 0
          FROM generate_series(1, 999) AS n`);
    await store.killSwitches.activateKillSwitch({ org: "o", auditRow: "{}", record: killSwitch("ks-1") });
    const { members, reached } = await cluster.reach("o", "ks-1");
    expect([members.length, reached.length]).toEqual([1_000, 1_000]);
  });

  const strangers = (count: number) => `
    INSERT INTO cluster_members (id, epoch, host, version, role, started_at, applied_revision,
        control_age_ms, decisions_per_second, beat, last_seen_ms, joined_revision, joined_ms)
      SELECT 'stranger-' || n, 1, 'host', '1', 'gateway', '', 0, NULL, 0, 1,
          (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 0, 0
        FROM generate_series(1, ${String(count)}) AS n`;

  // proves OPS-66
  it("are at most a thousand: more are neither read nor waited for until silent ones are gone", async () => {
    const url = await server().createDatabase();
    const { store, cluster } = await member(url, "log-a");
    const run = async (text: string): Promise<void> => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(text);
      await client.end();
    };
    await run(strangers(MAX_CLUSTER_MEMBERS - 1));
    expect((await cluster.view()).members).toHaveLength(MAX_CLUSTER_MEMBERS);
    await expect(member(url, "log-b")).rejects.toThrow(TooManyMembersError);
    await run("DELETE FROM cluster_members WHERE id <> 'log-a'");
    await run(strangers(20_000));
    await expect(cluster.view()).rejects.toThrow("more than 1000 processes");
    const change = { org: "org", auditRow: "{}", record: killSwitch("ks-1") };
    expect((await store.killSwitches.activateKillSwitch(change)).kind).toBe("activated");
    await expect(cluster.reach("org", "ks-1")).rejects.toThrow(TooManyMembersError);
    // A member beats as before.
    expect(await cluster.beat({ applied: 1, controlAgeMs: 0, decisionsPerSecond: 0 })).toBe(true);
    await cluster.forgetSilent();
    await expect(cluster.view()).rejects.toThrow(TooManyMembersError);
    await run("UPDATE cluster_members SET last_seen_ms = last_seen_ms - 61000 WHERE id <> 'log-a'");
    // One that joins makes room, too.
    await member(url, "log-c");
    expect((await cluster.view()).members.map(({ id }) => id)).toEqual(["log-a", "log-c"]);
    expect((await cluster.reach("org", "ks-1")).reached).toEqual([]);
  });

  it("say what is wrong when the head of control state is missing", async () => {
    const url = await server().createDatabase();
    const { cluster } = await member(url, "log-a");
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("DELETE FROM control_head");
    await client.end();
    await expect(cluster.join(FACTS)).rejects.toThrow("control_head: expected one row, found 0");
  });
});
