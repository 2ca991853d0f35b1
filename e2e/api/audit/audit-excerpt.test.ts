import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CLI_ENTRY } from "../../support/cli/cli-entry.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { type ProgramResult, runProgram } from "../../support/processes/run-program.ts";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { callOf, send } from "../../support/server/api.ts";
import { fetchWithKey } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const KEY = `svc_operator1_${"a1B2".repeat(11)}`;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

function auditVerify(url: string, key: string): Promise<ProgramResult> {
  const args = [CLI_ENTRY, "compliance", "audit-verify", "--url", url];
  return runProgram(process.execPath, args, { SVC_API_KEY: key });
}

// proves AUD-32, AUD-33
it("two organizations of one server each export their own rows, and svc-cli verifies them", async () => {
  const { url } = await serverOfTest({ env: { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY: KEY } });
  const body = { name: "acme", role: "admin", org_id: "acme" };
  const made = await send("POST", `${url}/v1/keys`, { body, headers: bearer(KEY) });
  expect(made.status).toBe(201);
  const keys = { default: KEY, acme: String(made.body["key"]) };
  for (const [org, key] of Object.entries(keys))
    for (const amount of [1, 2, 3])
      await send("POST", `${url}/v1/gateway/execute`, {
        body: callOf({ args: { note: `${org}-${String(amount)}` } }),
        headers: bearer(key),
      });
  for (const [org, key] of Object.entries(keys)) {
    const { exitCode, stdout } = await auditVerify(url, key);
    expect(stdout).toMatch(/: intact, \d rows, \d rows of other organizations left out, head /);
    expect(exitCode).toBe(0);
    const text = await (await fetch(`${url}/v1/audit/export`, { headers: bearer(key) })).text();
    for (const [owner, notes] of Object.entries({ default: 3, acme: 3 }))
      expect(text.split(`${owner}-`).length - 1).toBe(owner === org ? notes : 0);
  }
});

// proves AUD-35
it("an export by time, agent, kind or log is a signed list that svc-cli verifies offline", async () => {
  const { url } = await serverOfTest();
  for (const agent_id of ["a", "a", "b"])
    await send("POST", `${url}/v1/gateway/execute`, { body: callOf({ agent_id }) });
  const exported = async (query: string): Promise<string> =>
    (await fetchWithKey(`${url}/v1/audit/export?${query}`)).text();
  const logId = /"log_id":"([^"]+)"/.exec(await exported(""))?.[1] ?? "";
  const [key = ""] = (await send("GET", `${url}/v1/audit/public-key`)).body["keys"] as string[];
  const folder = await temporaryDirectory();
  const verified = async (text: string): Promise<ProgramResult> => {
    const file = join(folder, "export.ndjson");
    await writeFile(file, text);
    return runCli(["compliance", "audit-verify", "--file", file, "--public-key", key]);
  };
  const ofA = await exported("agent_id=a&kind=decision&since=2020-01-01T00:00:00Z");
  const { exitCode, stdout } = await verified(ofA);
  expect(stdout).toMatch(
    /: intact, 2 rows, \d+ rows? left out: of other organizations, or outside the filter, head /,
  );
  expect(stdout).toContain('filter: {"agent_id":"a","kind":"decision","since":"2020-01-01T00:00:00.000Z"}');
  expect(exitCode).toBe(0);
  expect((await verified(await exported(`log_id=${logId}`))).stdout).toMatch(
    /: intact, \d+ rows, \d+ checkpoints? over/,
  );
  expect((await verified(ofA.replace('"agent_id":"a","kind"', '"kind"'))).exitCode).toBe(1);
  expect((await verified(ofA.slice(0, ofA.lastIndexOf('{"end"')))).exitCode).toBe(3);
});

// proves AUD-35
it.each([
  [
    "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
    400,
    "until: expected a time that is not before since",
  ],
  ["since=yesterday", 400, "since: expected a time such as"],
  ["since=2026-02-30T00:00:00Z", 400, "since: expected a time such as"],
  ["until=2026-01-01T00:00:00+02:00", 400, "in a URL, write + as %2B"],
  ["agent_id=%ff", 400, "agent_id: expected percent-encoded UTF-8"],
  ["agent_id=a%2Ab", 400, "agent_id: "],
  ["kind=Decision", 400, "kind: expected one of decision, outcome"],
  ["log_id=gw-unknown", 404, "There is no log gw-unknown"],
])("an export is refused clearly: %s", async (query, status, detail) => {
  const { url } = await serverOfTest();
  const refusal = await send("GET", `${url}/v1/audit/export?${query}`);
  expect(refusal).toMatchObject({ status, body: { detail: expect.stringContaining(detail) as string } });
});
