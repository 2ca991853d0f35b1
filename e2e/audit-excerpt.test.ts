import { join } from "node:path";
import { expect, it } from "vitest";
import { callOf, send } from "./support/api.ts";
import { type ProgramResult, runProgram } from "./support/run-program.ts";
import { serverOfTest } from "./support/server-process.ts";

const CLI = join(import.meta.dirname, "..", "packages", "cli", "dist", "main.js");
const KEY = `svc_operator1_${"a1B2".repeat(11)}`;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

function auditVerify(url: string, key: string): Promise<ProgramResult> {
  const args = [CLI, "compliance", "audit-verify", "--url", url];
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
