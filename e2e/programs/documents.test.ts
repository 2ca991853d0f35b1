// peers: curl
// long: runs the commands of the documents, a process each
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { documentSteps, SeenIds, showsAnswer } from "../support/cli/document-commands.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute, send } from "../support/server/api.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Readers have svc-cli on their PATH. */
const SVC_CLI = `svc-cli() { '${process.execPath}' '${CLI_ENTRY}' "$@"; }`;

/** Runs the commands of a page one after the other, as a reader who copies them into one shell would. */
async function runPage(server: ServerProcess, page: string, cwd = ROOT): Promise<void> {
  const ids = new SeenIds();
  const exported: string[] = [];
  for (const { command, answer } of documentSteps(page)) {
    const here = ids
      .fill(command)
      .replaceAll("http://127.0.0.1:8080", server.url)
      .replaceAll(".svc/", `${server.dataDir}/`)
      .replaceAll("certificate.txt", join(server.dataDir, "certificate.txt"));
    if (here.startsWith("export ")) {
      exported.push(here);
      continue;
    }
    const script = ["set -e", SVC_CLI, ...exported, here].join("\n");
    const options = { cwd, showsKeys: command.includes("$SVC/keys") };
    const { exitCode, stdout, stderr } = await runProgram("bash", ["-c", script], {}, options);
    expect([command, exitCode, stderr]).toEqual([command, 0, ""]);
    ids.note(stdout);
    if (answer?.kind === "text") expect(stdout.trim()).toBe(answer.text.trim());
    if (answer?.kind !== "json") continue;
    const shown: unknown = JSON.parse(answer.text);
    const found: unknown = JSON.parse(stdout);
    if (!showsAnswer(shown, found)) expect({ command, answer: found }).toEqual({ command, answer: shown });
  }
}

// skip: the commands need curl
describe.skipIf(missing.curl)(
  "every command of a page runs as written and answers what the page shows",
  () => {
    // proves OPS-21
    it("the three calls of README.md", async () => {
      const server = await serverOfTest({ env: { SVC_AUTH: "off" } });
      const policy = await send("POST", `${server.url}/v1/policies`, {
        body: await readFile(join(ROOT, "policies/demo.yaml"), "utf8"),
        headers: { "content-type": "application/yaml" },
      });
      expect(policy.status).toBe(201);
      const page = await readFile(join(ROOT, "README.md"), "utf8");
      const threeCalls = page.slice(page.indexOf("## Three calls"), page.indexOf("Each `decision_id`"));
      expect(documentSteps(threeCalls)).toHaveLength(4);
      await runPage(server, threeCalls);
    });

    // proves REP-13
    it("docs/ROLLOUT.md", async () => {
      const server = await serverOfTest({ env: { SVC_AUTH: "off" } });
      const page = await readFile(join(ROOT, "docs/ROLLOUT.md"), "utf8");
      expect(documentSteps(page).length).toBeGreaterThan(9);
      await runPage(server, page, await temporaryDirectory());
    });

    // proves OPS-21, AUTH-03
    it("docs/API.md", async () => {
      const server = await serverOfTest({ env: { SVC_AUTH: "on" } });
      const page = await readFile(join(ROOT, "docs/API.md"), "utf8");
      expect(documentSteps(page).length).toBeGreaterThan(20);
      await runPage(server, page);
    });

    // proves OPS-21, APR-64
    it("docs/APPROVALS.md", async () => {
      const server = await serverOfTest({ env: { SVC_AUTH: "on" } });
      const page = await readFile(join(ROOT, "docs/APPROVALS.md"), "utf8");
      expect(documentSteps(page)).toHaveLength(12);
      await runPage(server, page);
    });

    // proves OPS-21
    it("docs/RUNBOOK.md", async () => {
      const server = await serverOfTest({ env: { SVC_AUTH: "on" } });
      const key = (await readFile(join(server.dataDir, "admin-key"), "utf8")).trim();
      const headers = { authorization: `Bearer ${key}` };
      const policy = await send("POST", `${server.url}/v1/policies`, {
        body: await readFile(join(ROOT, "policies/demo.yaml"), "utf8"),
        headers: { ...headers, "content-type": "application/yaml" },
      });
      expect(policy.status).toBe(201);
      await execute(server.url, { agent_id: "demo-agent", session_id: "s-1" }, headers);
      const leaked = { body: { name: "leaked", role: "agent" }, headers };
      expect((await send("POST", `${server.url}/v1/keys`, leaked)).status).toBe(201);
      const page = await readFile(join(ROOT, "docs/RUNBOOK.md"), "utf8");
      expect(documentSteps(page).length).toBeGreaterThan(6);
      await runPage(server, page);
    });
  },
);
