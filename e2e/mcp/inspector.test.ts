// peers: inspector
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ALLOW, DENY, PAUSE } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { type GovernedServer, startGovernedServer } from "./governed-server.ts";
import { startDualEraServer } from "./mcp-servers.ts";

const CALL = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hi"];

// skip: needs the Inspector, which the test runner installs where it can
describe.skipIf(missing.inspector)("the MCP Inspector's command line", () => {
  let stage: GovernedServer;

  beforeAll(async () => {
    stage = await startGovernedServer(startDualEraServer);
  });
  afterAll(() => stage?.stop());
  beforeEach(() => stage.gateway.answer(ALLOW));

  /** Starts it once; it writes what it remembers into a home of its own. */
  async function inspect(...args: readonly string[]) {
    const command = [programOf("inspector"), "--cli", stage.url, "--transport", "http", "--format", "json"];
    return runProgram(process.execPath, [...command, ...args], { HOME: await temporaryDirectory() });
  }

  describe.each(["legacy", "modern"])("%s", (era) => {
    it("lists tools and calls one that is allowed", async () => {
      const listed = await inspect("--protocol-era", era, "--method", "tools/list");
      expect(JSON.parse(listed.stdout)).toMatchObject({ result: { tools: [{ name: "echo" }] } });
      const called = await inspect("--protocol-era", era, ...CALL);
      expect(called.exitCode).toBe(0);
      expect(JSON.parse(called.stdout)).toMatchObject({ result: { content: [{ text: "Echo: hi" }] } });
    });

    it.each([
      { name: "deny", verdict: DENY, told: DENY.reason },
      { name: "pause", verdict: PAUSE, told: PAUSE.approval_url },
      { name: "no verdict", verdict: { decision: "maybe" }, told: "not a readable verdict" },
    ])("$name: it fails and shows the message alone", async ({ verdict, told }) => {
      stage.gateway.answer(verdict);
      const { exitCode, stdout, stderr } = await inspect("--protocol-era", era, ...CALL);
      expect([exitCode, stdout]).toEqual([1, ""]);
      const shown = { error: { code: "error", message: expect.stringContaining(told) } };
      expect(JSON.parse(stderr)).toEqual(shown);
    });
  });
});
