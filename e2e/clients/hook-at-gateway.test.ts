import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCliHook, toolUse } from "../support/cli/run-hook.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { issueKey } from "../support/server/api-keys.ts";
import { serverWithPolicy } from "../support/server/key-calls.ts";

const TIMEOUT_MS = 60_000;

// proves CODE-04
it("svc-cli hook install tells whether the gateway and the key are right", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { server, operator } = await serverWithPolicy();
  const HOME = await temporaryDirectory();
  const { id, key } = await issueKey(operator, { agents: ["coder"] });
  const [good, wrong] = [join(HOME, "good"), join(HOME, "wrong")];
  await writeFile(good, key);
  await writeFile(wrong, `${key.slice(0, -4)}aaaa`);
  const install = async (...more: string[]) => {
    const args = ["hook", "install", "--url", server.url, "--dry-run", ...more];
    const { exitCode, stdout } = await runProgram(process.execPath, [CLI_ENTRY, ...args], { HOME });
    expect([exitCode, stdout.includes(key)]).toEqual([0, false]);
    return stdout;
  };
  expect(await install("--agent", "coder", "--api-key-file", good)).toContain(
    `gateway  ${server.url}, by --url: it answers, and key ${id} may ask for agent coder\n`,
  );
  const blocked = "warning: until this is mended, every call is blocked: ";
  expect(await install("--agent", "other", "--api-key-file", good)).toContain(
    `${blocked}key ${id} may not act for agent other\n`,
  );
  expect(await install("--agent", "coder", "--api-key-file", wrong)).toMatch(
    new RegExp(`${blocked}The gateway answered with status 401 .*: it refused the API key.`),
  );
  const without = await install("--agent", "coder");
  expect(without).toMatch(new RegExp(`${blocked}.* status 401 .*: no API key was sent. Set SVC_API_KEY.`));
  expect(without).toContain("API key  none. Give --api-key-file");
});

// proves CODE-02
it("the hook repeats why the gateway refuses", { timeout: TIMEOUT_MS }, async () => {
  const { server, operator } = await serverWithPolicy();
  const { key } = await issueKey(operator, { agents: ["coder"] });
  const input = toolUse("Bash", { command: "ls" });
  const hook = ["hook", "claude-code", "--url", server.url, "--agent"];
  const { stderr } = await runCliHook([...hook, "other"], { env: { SVC_API_KEY: key }, input });
  expect(stderr).toContain("the API key does not permit this call. Key");
  expect(stderr).toContain("may act only for agent");
});
