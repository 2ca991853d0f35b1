import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startDevServer } from "./dev-server.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "svc-dev-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A server that says where its data is, and does not end by a signal. */
function stuckServer(dataDir: string): string {
  const started = {
    msg: "started for dev",
    url: "http://127.0.0.1:1",
    checkgw_url: "http://127.0.0.1:2",
    extproc_address: "127.0.0.1:3",
    mcp_proxy_url: null,
    data_dir: dataDir,
    api_key_file: join(dataDir, "admin-key"),
  };
  const program = join(folder, "server.mjs");
  writeFileSync(
    program,
    `process.on("SIGTERM", () => {});\nsetInterval(() => {}, 1_000);\n` +
      `console.log(${JSON.stringify(JSON.stringify(started))});\n`,
  );
  return program;
}

// proves CLI-70
it.each([true, false])("leaves no temporary data of a server that was killed: %j", async (isTemporary) => {
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(data, "admin-key"), "svc_key");
  const server = await startDevServer({
    program: stuckServer(data),
    workingDirectory: folder,
    environment: {},
    port: 0,
    adapterPort: 0,
    dataDir: isTemporary ? null : data,
    mcpUrl: null,
    agentId: null,
    signal: new AbortController().signal,
    onWarning: () => undefined,
    stopMs: 200,
  });
  expect(existsSync(data)).toBe(true);
  await server.stop();
  expect(existsSync(data)).toBe(!isTemporary);
});
