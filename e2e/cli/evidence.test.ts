import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "@svc/contract/role";
import { expect, it } from "vitest";
import { cliFolder } from "../support/cli/cli-folder.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { activate } from "../support/server/kill-switches.ts";
import { makeKeys } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

// proves CLI-97, CLI-98
it("svc-cli takes evidence from a server, and reports on it without the server", async () => {
  const server = await serverOfTest();
  await makeKeys(server.url);
  expect((await createPolicy(server.url)).status).toBe(201);
  for (const session_id of ["s-1", "s-2"]) await execute(server.url, { session_id });
  const { body: active } = await activate(server.url, { scope: "agent", target_id: "agent-1" });
  const { body } = await send("GET", `${server.url}/api/v1/audit/public-key`);
  const folder = await cliFolder(server.url);
  await folder.write("keys.txt", `${(body["keys"] as readonly string[]).join("\n")}\n`);
  const id = String(active["kill_switch_id"]);
  for (const args of [
    ["audit", "export", "--out", "whole.ndjson"],
    ["audit", "export", "--agent", "agent-1", "--since", "1h", "--out", "part.ndjson"],
    ["audit", "export", "--format", "ocsf", "--out", "ocsf.ndjson"],
    ["compliance", "certificate", id, "--out", "certificate.txt"],
  ])
    expect(await folder.run(...args)).toMatchObject({ exitCode: 0, stdout: "" });
  await server.stop();
  const report = async (file: string) =>
    folder.json("compliance", "report", "--file", file, "--public-key", "keys.txt");
  // A row for each key and that of the start, two of the policy, the two calls and the kill switch.
  const rows = ROLES.length + 6;
  const whole = { result: "intact", rows, gaps: [], logs: [{ rows, signed_rows: rows }] };
  expect(await report("whole.ndjson")).toMatchObject({ exitCode: 0, body: whole });
  // Two calls, the policy that was loaded and assigned, and the kill switch.
  const part = { result: "intact", rows: 5, gaps: [{ kind: "left_out_rows" }] };
  expect(await report("part.ndjson")).toMatchObject({ exitCode: 0, body: part });
  const events = readFileSync(join(folder.path, "ocsf.ndjson"), "utf8").trim().split("\n");
  expect(events.map((line) => (JSON.parse(line) as { readonly class_uid: number }).class_uid)).toContain(
    2004,
  );
  const checked = await folder.run(
    "compliance",
    "verify-certificate",
    "certificate.txt",
    "--public-key",
    "keys.txt",
  );
  expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(id) });
});
