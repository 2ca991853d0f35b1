// long: it runs three conformance suites, each directly and through the proxy
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { startConformanceServer } from "./conformance-server.ts";
import { startGovernedServer } from "./governed-server.ts";
import { type RunningMcpServer, startEverythingServer } from "./mcp-servers.ts";

const SESSIONS_SUITE = import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js");
const NEXT_SUITE = import.meta.resolve("@modelcontextprotocol/conformance-next/dist/index.js");

const SUITES = [
  {
    name: "0.1.16, what it holds active",
    program: SESSIONS_SUITE,
    args: [],
    start: startEverythingServer,
    scenarios: 30,
    whole: 11,
  },
  {
    name: "0.2.0-alpha.12, what 2025-11-25 requires",
    program: NEXT_SUITE,
    args: ["--requirements", "2025-11-25"],
    start: startConformanceServer,
    scenarios: 30,
    whole: 20,
  },
  {
    name: "0.2.0-alpha.12, what 2026-07-28 requires",
    program: NEXT_SUITE,
    args: ["--requirements", "2026-07-28"],
    start: startConformanceServer,
    scenarios: 50,
    whole: 35,
  },
] as const;

/** Longest run in milliseconds, each scenario having its own limit. */
const RUN_TIMEOUT_MS = 120_000;

/**
 * The one scenario that a proxy must not leave to the server: it is the proxy whose name a page would misuse.
 */
const OWN_DUTY = "dns-rebinding-protection";

type Suite = Pick<(typeof SUITES)[number], "program" | "args">;

/** Runs all scenarios against a server and reads its summary: what passed and what failed in each. */
async function conformance({ program, args }: Suite, url: string): Promise<ReadonlyMap<string, string>> {
  const { path, remove } = await makeTemporaryDirectory();
  const { promise, resolve } = Promise.withResolvers<string>();
  const options = { cwd: path, timeout: RUN_TIMEOUT_MS };
  // Scenarios fail when the server lacks what they want: the exit code says nothing here.
  execFile(
    process.execPath,
    [fileURLToPath(program), "server", "--url", url, ...args],
    options,
    (_error, stdout) => resolve(stdout),
  );
  const printed = await promise;
  await remove();
  const summary = printed.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+ passed, \d+ failed)/gmu);
  return new Map([...summary].map(([, name = "", counts = ""]) => [name, counts]));
}

describe("M21: transparency", { timeout: 2 * RUN_TIMEOUT_MS }, () => {
  // proves MCP-03, MCP-08
  it.concurrent.for(SUITES)(
    "$name: the suite finds the same server behind the proxy",
    async (suite, test) => {
      const { url, server, gateway, stop } = await startGovernedServer<RunningMcpServer>(suite.start);
      test.onTestFinished(stop);
      const direct = new Map(await conformance(suite, server.url));
      const proxied = new Map(await conformance(suite, url));
      expect(direct.size).toBeGreaterThanOrEqual(suite.scenarios);
      const whole = [...direct.values()].filter((counts) => counts.endsWith(" 0 failed"));
      expect(whole.length).toBeGreaterThanOrEqual(suite.whole);
      expect(proxied.get(OWN_DUTY)).toBe("2 passed, 0 failed");
      direct.delete(OWN_DUTY);
      proxied.delete(OWN_DUTY);
      expect(Object.fromEntries(proxied)).toEqual(Object.fromEntries(direct));
      expect(gateway.calls().length).toBeGreaterThan(5);
    },
  );
});
