// peers: postgres
// long: it starts several servers and svc-cli
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { describe, expect, it } from "vitest";
import { cliFolder } from "../../support/cli/cli-folder.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { acknowledgedBy, clusterOfTest } from "../../support/server/cluster.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const TIMEOUT_MS = 120_000;

const POLICY = `id: p
agent_id: agent-1
tools: { allowed: ["*"] }
rules:
  - { id: out, match: { condition: { field: args, operator: detects, value: guardrail.pci } }, action: deny }
`;

const CARD = { args: { text: "4242424242424242" }, session_id: "s-1" };
const MEMBER = { args: { text: "MBR-104221" }, session_id: "s-1" };

const PATTERNS = { patterns: [{ name: "member", matches: "MBR-[0-9]+" }] };

const api = (url: string, path: string) => `${url}/api/v1/${path}`;

async function rowOf(url: string, id: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await send("GET", api(url, `audit/${encodeURIComponent(String(id))}`));
  return body["row"] as Readonly<Record<string, unknown>>;
}

describePostgres("a guardrail of several gateways", (postgres) => {
  // proves DSET-04, DSET-07
  it("decides alike at all of them, changes at once, and comes back after kill -9", async () => {
    const cluster = await clusterOfTest(postgres());
    const control = await cluster.start("control-1", "control");
    const [one, two] = await Promise.all([
      cluster.start("gateway-1", "gateway"),
      cluster.start("gateway-2", "gateway"),
    ]);
    const created = await send("POST", api(control.url, "guardrails"), {
      body: { id: "pci", detectors: ["pii.credit_card"] },
    });
    expect(created).toMatchObject({ status: 201, body: { id: "pci", version: 1, policies: [] } });
    expect((await createPolicy(control.url, POLICY)).status).toBe(201);
    const decisions = async (known: typeof CARD) =>
      Promise.all([one, two].map(async ({ url }) => (await execute(url, known)).body["decision"]));
    expect(await decisions(CARD)).toEqual(["deny", "deny"]);
    expect(await decisions(MEMBER)).toEqual(["allow", "allow"]);
    const early = (await execute(one.url, CARD)).body["decision_id"];

    const changed = await send("PUT", api(control.url, "guardrails/pci"), { body: PATTERNS });
    expect(changed).toMatchObject({ status: 200, body: { version: 2, policies: [{ id: "p", version: 2 }] } });
    expect(acknowledgedBy(changed.body).map(({ id }) => id)).toEqual(["gateway-1", "gateway-2"]);
    expect(acknowledgedBy(changed.body).every(({ acknowledged_ms }) => acknowledged_ms !== null)).toBe(true);
    expect(await decisions(CARD)).toEqual(["allow", "allow"]);
    expect(await decisions(MEMBER)).toEqual(["deny", "deny"]);

    await two.stop("SIGKILL");
    const again = await cluster.start("gateway-2", "gateway");
    expect((await execute(again.url, MEMBER)).body["decision"]).toBe("deny");
    expect((await execute(again.url, CARD)).body["decision"]).toBe("allow");

    expect(await rowOf(control.url, early)).toMatchObject({ policy_version: 1, guardrails: ["pci@1"] });
    const explained = await send(
      "GET",
      api(control.url, `decisions/${encodeURIComponent(String(early))}/explain`),
    );
    expect(explained).toMatchObject({ status: 200, body: { agrees: true, recorded: { decision: "deny" } } });
    expect((await send("DELETE", api(control.url, "guardrails/pci"))).status).toBe(409);
  });
});

describe("svc-cli guardrails", { timeout: TIMEOUT_MS }, () => {
  // proves DSET-02, DSET-06, DSET-07, DSET-08, DSET-09
  it("keeps files and the server alike, and policies are judged with them offline", async () => {
    const { url } = await serverOfTest();
    const cli = await cliFolder(url);
    await cli.write("p.yaml", POLICY);
    const alone = await cli.run("validate", "p.yaml");
    expect([alone.exitCode, alone.stdout]).toEqual([
      1,
      expect.stringContaining('there is no guardrail "pci"'),
    ]);

    await cli.write(
      "guardrails.yaml",
      "pci: { detectors: [pii.credit_card], allow: ['4111111111111111'] }\n",
    );
    expect(await cli.run("validate", ".")).toMatchObject({ exitCode: 0 });
    const cases = [
      { name: "card", tool: "t", args: { x: "4242424242424242" }, expect: { decision: "deny" } },
      { name: "number for tests", tool: "t", args: { x: "4111111111111111" }, expect: { decision: "allow" } },
    ];
    await cli.write("p.test.json", JSON.stringify(cases));
    const tested = await cli.run("test", "p.yaml", "--coverage", "--mutate");
    expect([tested.exitCode, tested.stderr]).toEqual([0, ""]);
    await cli.write("prompt.txt", "card 4242424242424242\n");
    const local = await cli.run("guardrails", "test", "prompt.txt", "--detectors", "guardrail.pci");
    expect(local).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("prompt.txt:1:6\tpii.credit_card"),
    });

    // A server that does not know it refuses the policy.
    const early = await cli.run("deploy", "p.yaml", "--reason", "test");
    expect([early.exitCode, early.stderr]).toEqual([
      2,
      expect.stringContaining("expected a guardrail that exists"),
    ]);
    const dry = await cli.run("guardrails", "put", "guardrails.yaml", "--dry-run");
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("would be created  pci") });
    expect((await cli.run("guardrails", "list")).stdout).toBe("no guardrails\n");
    expect(await cli.run("guardrails", "put", "guardrails.yaml")).toMatchObject({ exitCode: 0 });
    expect(await cli.run("deploy", "p.yaml", "--reason", "test")).toMatchObject({ exitCode: 0 });
    const same = await cli.run("guardrails", "put", "guardrails.yaml");
    expect(same.stdout).toBe("unchanged  pci  version 1\n");
    const member = "name: member, matches: 'MBR-[0-9]+', must_match: ['MBR-1']";
    await cli.write("guardrails.yaml", `pci: { patterns: [{ ${member} }] }\n`);
    const changed = await cli.run("guardrails", "put", "guardrails.yaml", "--reason", "members");
    expect([changed.exitCode, changed.stdout]).toEqual([0, "changed  pci  version 2  policies p 2\n"]);
    const shown = await cli.run("guardrails", "show", "pci", "--at", "1");
    expect(shown.stdout).toContain("- pii.credit_card");
    const asked = await cli.run("guardrails", "test", "prompt.txt", "--guardrail", "pci");
    expect(asked).toMatchObject({ exitCode: 0, stdout: "nothing was found\n" });
    const used = await cli.run("guardrails", "delete", "pci");
    expect([used.exitCode, used.stderr]).toEqual([1, expect.stringContaining("in use by policy p")]);
    expect((await execute(url, MEMBER)).body["decision"]).toBe("deny");
  });
});
