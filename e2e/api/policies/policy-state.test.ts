import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { type Answer, createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const move = (url: string, id: string, to: string, body?: unknown): Promise<Answer> =>
  send("POST", `${url}/api/v1/policies/${encodeURIComponent(id)}/${to}`, { body });

const NAMED = "id: refunds\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";

/** Allows everything: a policy of a namespace that an agent must never fall to. */
const LAX = "id: team/lax@1\nfail_closed: false\ntools: { denied: [never] }\n";

const assign = (url: string, binding: unknown): Promise<Answer> =>
  send("POST", `${url}/api/v1/policy-assignments`, { body: binding });

describe("a policy that is disabled", () => {
  // proves POL-36
  it("denies every call in every mode, and lets no laxer policy take its place", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, `${NAMED}governance_mode: shadow\n`);
    await createPolicy(url, LAX);
    await assign(url, { policy_id: "team/lax@1", namespace_id: "default" });
    expect((await execute(url)).body).toMatchObject({ decision: "allow", policy_id: "refunds" });
    const disabled = await move(url, "refunds", "disable", { why: "incident 7" });
    expect([disabled.status, disabled.body["enabled"], disabled.body["note"]]).toEqual([
      200,
      false,
      undefined,
    ]);
    for (const tool of ["payments.refund", "anything"]) {
      expect((await execute(url, { tool })).body).toMatchObject({
        decision: "deny",
        reason_code: "no_policy",
        reason: expect.stringContaining("refunds is disabled"),
        fail_closed: false,
      });
    }
    const updated = await send("PUT", `${url}/api/v1/policies/refunds?why=while%20off`, {
      body: NAMED,
      headers: { "content-type": "application/yaml" },
    });
    expect([updated.status, updated.body["version"], updated.body["enabled"]]).toEqual([200, 2, false]);
    expect((await execute(url)).body["decision"]).toBe("deny");
    expect((await move(url, "refunds", "enable")).status).toBe(200);
    expect((await execute(url)).body).toMatchObject({ decision: "allow", policy_version: 2 });
    const rows = (await checkedExport(url)).map(({ row }) => row).filter(({ kind }) => kind === "policy");
    expect(rows.map(({ action, why }) => [action, why])).toEqual([
      ["created", null],
      ["assigned", null],
      ["created", null],
      ["assigned", null],
      ["disabled", "incident 7"],
      ["updated", "while off"],
      ["enabled", null],
    ]);
  });

  // proves POL-36
  it("stays disabled over a restart", async () => {
    const dataDir = await temporaryDirectory();
    const first = await serverOfTest({ dataDir });
    await createPolicy(first.url, NAMED);
    await move(first.url, "refunds", "disable");
    await first.stop("SIGKILL");
    const { url } = await serverOfTest({ dataDir });
    expect((await execute(url)).body).toMatchObject({ decision: "deny", reason_code: "no_policy" });
  });
});

describe("a policy that is archived", () => {
  // proves POL-68
  it("was unassigned before, keeps its id and its history, and comes back when enabled", async () => {
    const { url } = await serverOfTest();
    const id = "team/lax@1";
    await createPolicy(url, LAX);
    const assigned = await assign(url, { policy_id: id, agent_id: "agent-1" });
    const refused = await move(url, id, "archive");
    expect([refused.status, refused.body["code"]]).toEqual([409, "conflict"]);
    expect(refused.body["detail"]).toContain(String(assigned.body["id"]));
    await send("DELETE", `${url}/api/v1/policy-assignments/${String(assigned.body["id"])}`);
    expect((await move(url, id, "archive")).body).toMatchObject({ archived: true, enabled: false });
    const list = async (query: string) =>
      ((await send("GET", `${url}/api/v1/policies${query}`)).body["policies"] as { id: string }[]).map(
        (one) => one.id,
      );
    expect([await list(""), await list("?archived=true"), await list("?archived=all")]).toEqual([
      [],
      [id],
      [id],
    ]);
    expect((await createPolicy(url, LAX)).status).toBe(409);
    expect((await assign(url, { policy_id: id, agent_id: "agent-1" })).status).toBe(409);
    const versions = await send("GET", `${url}/v1/policies/team%2Flax@1/versions/1`);
    expect(versions.body).toMatchObject({ id, version: 1, document: { id } });
    expect((await move(url, id, "enable")).body).toMatchObject({ archived: false, enabled: true });
    expect((await assign(url, { policy_id: id, agent_id: "agent-1" })).status).toBe(201);
    expect((await execute(url)).body["decision"]).toBe("allow");
  });
});

describe("labels and lists", () => {
  // proves POL-62, POL-69
  it("find a policy, and no hostile text breaks the list", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, NAMED);
    await createPolicy(url, LAX);
    const patch = (labels: unknown) =>
      send("PATCH", `${url}/api/v1/policies/refunds`, { body: { labels, why: "sorting" } });
    expect((await patch({ team: "Payments" })).body).toMatchObject({ labels: { team: "Payments" } });
    for (const text of ['{"labels":{"__proto__":"x"}}', '{"labels":{"constructor":"x"}}']) {
      const answer = await send("PATCH", `${url}/api/v1/policies/refunds`, {
        body: text,
        headers: { "content-type": "application/json" },
      });
      expect([answer.status, answer.body["code"]]).toEqual([400, "malformed_json"]);
    }
    const found = async (query: Record<string, string>) => {
      const { status, body } = await send(
        "GET",
        `${url}/api/v1/policies?${String(new URLSearchParams(query))}`,
      );
      return [status, (body["policies"] as { id: string }[] | undefined)?.map(({ id }) => id)];
    };
    expect(await found({ q: "team=pay" })).toEqual([200, ["refunds"]]);
    expect(await found({ q: "lax@" })).toEqual([200, ["team/lax@1"]]);
    expect(await found({ agent: "agent-1" })).toEqual([200, ["refunds"]]);
    expect(await found({ mode: "shadow" })).toEqual([200, []]);
    for (const q of ["%", "_", "' OR '1'='1", "\\", "*", "[", "\u{1f600}", "x".repeat(128)])
      expect(await found({ q })).toEqual([200, []]);
    for (const query of [
      { q: "" },
      { q: "a\u0000b" },
      { q: "x".repeat(129) },
      { mode: "off" },
      { enabled: "yes" },
      { archived: "maybe" },
      { agent: "a b " },
      { agents: "a" },
    ])
      expect((await found(query as Record<string, string>))[0]).toBe(400);
  });
});
