import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startScriptedGateway } from "../support/scripted-gateway.ts";
import { makeTemporaryDirectory } from "../support/temporary-directory.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import { startEverythingServer } from "./mcp-servers.ts";

const CONFORMANCE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/**
 * The one scenario that a proxy must not leave to the server: it is the proxy whose name a page would misuse.
 */
const OWN_DUTY = "dns-rebinding-protection";

/** Runs all scenarios against a server and reads its summary: what passed and what failed in each. */
async function conformance(url: string): Promise<ReadonlyMap<string, string>> {
  const { path, remove } = await makeTemporaryDirectory();
  onTestFinished(() => remove());
  const args = [CONFORMANCE, "server", "--url", url];
  const { promise, resolve } = Promise.withResolvers<string>();
  // Scenarios fail when the server lacks what they want: the exit code says nothing here.
  execFile(process.execPath, args, { cwd: path, timeout: 60_000 }, (_error, stdout) => resolve(stdout));
  const summary = (await promise).matchAll(/^[✓✗] ([a-z0-9-]+): (\d+ passed, \d+ failed)/gmu);
  return new Map([...summary].map(([, name = "", counts = ""]) => [name, counts]));
}

describe("M21: transparency", () => {
  // proves MCP-03, MCP-08
  it("the conformance suite finds the same server behind the proxy", async () => {
    const server = await startEverythingServer();
    const gateway = await startScriptedGateway();
    const proxy = await startMcpProxy({ gatewayUrl: gateway.url, upstreamUrl: server.url });
    onTestFinished(async () => {
      await proxy.stop("SIGKILL");
      await gateway.server.close();
      await server.stop();
    });
    const direct = new Map(await conformance(server.url));
    const proxied = new Map(await conformance(proxy.url));
    expect(direct.size).toBeGreaterThanOrEqual(30);
    expect([...direct.values()].filter((counts) => counts.endsWith(" 0 failed")).length).toBeGreaterThan(10);
    expect(proxied.get(OWN_DUTY)).toBe("2 passed, 0 failed");
    direct.delete(OWN_DUTY);
    proxied.delete(OWN_DUTY);
    expect(Object.fromEntries(proxied)).toEqual(Object.fromEntries(direct));
    expect(gateway.calls().length).toBeGreaterThan(5);
  });
});
