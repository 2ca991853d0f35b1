import type { ExecuteRequest } from "@svc/contract/execute-request";
import { MAX_COVERED_CALLS } from "@svc/contract/limits";
import type { Verdict } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "./testing/test-gateway.ts";

const ASK = {
  id: "ask",
  match: { tool: "chat.*" },
  action: "require_approval",
  approval: { covers: ["args.to", "args.cc"] },
};

const FILES = { field: "args.files", operator: ">", value: 2, when_missing: "skip" };
const BAD = { field: "args.text", operator: "==", value: "evil" };

const policyWith = (rules: readonly object[]) => ({ id: "p", tools: { allowed: ["*"] }, rules });

let gateway: TestGateway;

async function govern(rules: readonly object[], version = 1): Promise<void> {
  const source = JSON.stringify(policyWith(rules));
  if (version === 1) gateway.feed.putPolicy("p", source, { agent_id: "agent-1" });
  else gateway.feed.put({ kind: "policy", policyId: "p", version, enabled: true, source });
  await gateway.follower.catchUp();
}

beforeEach(async () => {
  gateway = await testGateway();
});

const send = (args: JsonObject, known: Partial<ExecuteRequest> = {}) =>
  gateway.execute({ tool: "chat.send", args, ...known });

const message = (text: string, to: JsonObject[string] = "#general") => send({ to, text });

const idOf = (verdict: Verdict): string =>
  verdict.decision === "pause" ? (verdict.approval_url.split("/").at(-1) ?? "") : verdict.decision;

async function approve(verdict: Verdict): Promise<void> {
  const approval = await gateway.ledger.store.approvals.approval("default", idOf(verdict));
  if (approval === null) throw new Error(`expected an approval, got ${verdict.decision}`);
  const { org, id, version, state } = approval;
  const atMs = gateway.clock.now().getTime();
  const maxUses = state.holdsFor.covers.length === 0 ? 1 : MAX_COVERED_CALLS;
  const grant = { expiresAtMs: atMs + 60_000, approvers: ["approver"], edit: null, maxUses };
  const change = { org, id, version, status: "approved" as const, state, grant, atMs, auditRow: "{}" };
  expect(await gateway.ledger.store.approvals.changeApproval(change)).toBe("changed");
}

// proves APR-91
describe("an approval that covers later calls", () => {
  it("lets three messages to one channel ask once, and names itself in each row", async () => {
    await govern([ASK]);
    const paused = await message("one");
    expect(paused).toMatchObject({
      decision: "pause",
      reason:
        "the rule ask requires approval of this call; the approval holds for up to 20 calls with the same " +
        "args.to, args.cc in session s-1",
    });
    expect(idOf(await message("two"))).toBe(idOf(paused));
    await approve(paused);
    for (const text of ["one", "two", "three"]) expect((await message(text)).decision).toBe("allow");
    const rows = gateway.rows().filter(({ decision }) => decision === "allow");
    expect(rows.map(({ approval_id, rule_id }) => [approval_id, rule_id])).toEqual(
      rows.map(() => [idOf(paused), "ask"]),
    );
  });

  it.each<[string, () => Promise<Verdict>]>([
    ["another value", () => message("x", "#secrets")],
    ["a value that only looks the same", () => message("x", "#general ")],
    ["another letter case", () => message("x", "#General")],
    ["a list of the value", () => message("x", ["#general"])],
    ["a null for what was absent", () => send({ to: "#general", cc: null })],
    ["what was absent", () => send({ to: "#general", cc: "all" })],
    ["no covered argument", () => send({ text: "x" })],
    ["another tool of the rule", () => send({ to: "#general" }, { tool: "chat.delete" })],
    ["another session", () => send({ to: "#general" }, { session_id: "s-2" })],
    ["no session", () => send({ to: "#general" }, { session_id: null })],
    ["another agent", () => send({ to: "#general" }, { agent_id: "agent-2" })],
    ["another namespace", () => send({ to: "#general" }, { namespace: "staging" })],
  ])("asks anew for %s", async (_name, other) => {
    await govern([ASK]);
    gateway.feed.putPolicy("q", JSON.stringify({ ...policyWith([ASK]), id: "q" }), { agent_id: "agent-2" });
    await gateway.follower.catchUp();
    const paused = await message("one");
    await approve(paused);
    const asked = await other();
    expect([asked.decision, idOf(asked) === idOf(paused)]).toEqual(["pause", false]);
    expect((await message("x")).decision).toBe("allow");
  });

  it("asks anew under another version of the policy", async () => {
    await govern([ASK]);
    await approve(await message("one"));
    await govern([ASK], 2);
    expect((await message("two")).decision).toBe("pause");
  });

  it.each<[string, object, JsonObject]>([
    ["of a later priority", { priority: 200 }, { files: 3 }],
    ["of the same priority", {}, { files: 3 }],
    ["of an earlier priority", { priority: 1 }, { files: 3 }],
    ["that cannot be judged", { priority: 200 }, { files: "many" }],
  ])("asks anew where another rule asks as well: one %s", async (_name, more, both) => {
    const files = { id: "files", match: { condition: FILES }, action: "require_approval", ...more };
    await govern([ASK, files]);
    await approve(await send({ to: "#general", files: 0 }));
    expect((await send({ to: "#general", files: 0, text: "b" })).decision).toBe("allow");
    const asked = await send({ to: "#general", ...both });
    expect(asked).toMatchObject({
      decision: "pause",
      reason: expect.stringMatching(/the approval holds for this call in session s-1$/) as string,
    });
  });

  it("covers the call alone where the rule is not sure of its match, or an argument hides", async () => {
    const condition = { field: "args.files", operator: "==", value: 3 };
    await govern([{ ...ASK, match: { condition }, approval: { covers: ["args.to.name"] } }]);
    for (const args of [{ to: { name: "bob" } }, { to: "bob", files: 3 }]) {
      const paused = await send(args);
      expect(paused).toMatchObject({ reason: expect.stringContaining("for this call in session") as string });
    }
  });

  it(`is used up after ${String(MAX_COVERED_CALLS)} calls, however many race`, async () => {
    await govern([ASK]);
    const paused = await message("one");
    await approve(paused);
    const texts = Array.from({ length: MAX_COVERED_CALLS + 10 }, (_, n) => String(n));
    const verdicts = await Promise.all(texts.map((text) => message(text)));
    expect(verdicts.filter(({ decision }) => decision === "allow")).toHaveLength(MAX_COVERED_CALLS);
    const others = verdicts.filter(({ decision }) => decision === "pause").map(idOf);
    expect(others).toHaveLength(10);
    expect(others).not.toContain(idOf(paused));
  });

  it("ends with its time", async () => {
    await govern([ASK]);
    await approve(await message("one"));
    expect((await message("two")).decision).toBe("allow");
    gateway.clock.ms += 60_000;
    await gateway.follower.catchUp();
    expect((await message("three")).decision).toBe("pause");
  });

  it("loses to a kill switch and to a deny, and asks anew once it is revoked", async () => {
    await govern([{ id: "never", priority: 1, match: { condition: BAD }, action: "deny" }, ASK]);
    const paused = await message("one");
    await approve(paused);
    expect(await message("evil")).toMatchObject({ decision: "deny", rule_id: "never" });
    const killed = gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    expect(await message("two")).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    gateway.feed.put({ kind: "kill_switch", record: { ...killed, status: "inactive" } });
    await gateway.follower.catchUp();
    expect((await message("two")).decision).toBe("allow");
    const { approvals } = gateway.ledger.store;
    const approval = await approvals.approval("default", idOf(paused));
    if (approval === null) throw new Error("expected an approval");
    const { org, id, version, state } = approval;
    const revocation = { org, id, version, state, atMs: gateway.clock.now().getTime(), auditRow: "{}" };
    expect(await approvals.revokeGrant(revocation)).toBe("changed");
    expect((await message("three")).decision).toBe("pause");
  });
});

// proves APR-90, APR-94
describe("for which sessions an approval holds", () => {
  const one = { ...ASK, approval: undefined };

  it("is the one of the call, which the reason names; that of a call of another one does not", async () => {
    await govern([one]);
    const first = await message("one");
    expect(first).toMatchObject({ reason: expect.stringMatching(/this call in session s-1$/) as string });
    await approve(first);
    const args = { to: "#general", text: "one" };
    const hint = (own: string) =>
      expect.stringContaining(
        `An approval of the same call is unused, but not for ${own}: repeat it in the session that asked`,
      ) as string;
    expect(await send(args, { session_id: "s-2" })).toMatchObject({ reason: hint("session s-2") });
    expect(await send(args, { session_id: null })).toMatchObject({ reason: hint("calls without a session") });
    expect(gateway.rows().at(-1)).toMatchObject({ reason: hint("calls without a session") });
    expect(JSON.stringify(gateway.rows().slice(-2))).not.toContain("s-1");
    expect(await send({ ...args, text: "two" }, { session_id: "s-2" })).toMatchObject({
      reason: expect.not.stringContaining("unused") as string,
    });
    expect((await send(args)).decision).toBe("allow");
    expect(await send(args, { session_id: "s-2" })).toMatchObject({
      reason: expect.not.stringContaining("unused") as string,
    });
  });

  it("is every one of the agent with scope agent, and still for one call", async () => {
    await govern([{ ...ASK, approval: { scope: "agent" } }]);
    const first = await message("one");
    expect(first).toMatchObject({
      reason: expect.stringMatching(/this call in any session of agent agent-1$/) as string,
    });
    await approve(first);
    expect((await send({ to: "#general", text: "two" }, { session_id: "s-2" })).decision).toBe("pause");
    const args = { to: "#general", text: "one" };
    expect((await send(args, { session_id: "s-2" })).decision).toBe("allow");
    expect((await send(args, { session_id: "s-3" })).decision).toBe("pause");
  });
});

// proves APR-91
it("under random calls, only calls that share every covered value share an approval", async () => {
  const value = fc.constantFrom<JsonObject[string]>("a", "A", "a ", "", "1", 1, 1.5, null, true, ["a"], {
    b: 1,
  });
  const args = fc.record({ to: value, cc: value, text: value }, { requiredKeys: [] });
  const name = fc.constantFrom("s-1", "s-2");
  const calls = fc.array(fc.record({ args, session_id: name }), { minLength: 2, maxLength: 6 });
  const sameOf = ({ args: { to, cc }, session_id }: { args: JsonObject; session_id: string }): string =>
    canonicalJson([session_id, to === undefined ? [] : [to], cc === undefined ? [] : [cc]]);
  await fc.assert(
    fc.asyncProperty(calls, async (asked) => {
      gateway = await testGateway();
      await govern([ASK]);
      const [first, ...others] = asked;
      if (first === undefined) return;
      await approve(await send(first.args, first));
      for (const other of others) {
        const covers = other.args.to !== undefined || other.args.cc !== undefined;
        const isSame = sameOf(other) === sameOf(first);
        const isCall =
          canonicalJson([other.args, other.session_id]) === canonicalJson([first.args, first.session_id]);
        const { decision } = await send(other.args, other);
        if (decision === "allow") expect(isSame && (covers || isCall)).toBe(true);
        if (isSame && covers) expect(decision).toBe("allow");
      }
    }),
    { seed: 7, numRuns: runs(60, 2_000) },
  );
});
