// peers: envoy, litellm
// long: starts Python clients that stream through Envoy
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExtprocStage, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, DENY, shaped, verdict } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { MODEL_INTERFACES, streamed } from "./model-clients.ts";

const run = promisify(execFile);
const READER = join(import.meta.dirname, "read_openai_stream.py");

/** LiteLLM brings OpenAI's own library along. */
const PACKAGES = join(import.meta.dirname, "..", "..", ".tools", "litellm");

/** Loading the library takes seconds of a busy machine. */
const TIMEOUT_MS = 60_000;

const EVENT_STREAM = { "content-type": "text/event-stream" };
const PIECES = ['{"amount"', ": 5, ", '"note":"line\u2028end"}'];
const INTERFACES = [
  ["chat", "OpenAI chat completions"],
  ["responses", "OpenAI responses"],
] as const;

// proves XPR-11
// skip: a machine without Envoy or without the Python packages; the runner says why there are none
describe.skipIf(missing.envoy || missing.litellm)("streamed answers, read by OpenAI's Python library", () => {
  let stage: ExtprocStage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());
  beforeEach(() => stage.reset());

  async function ask(name: string): Promise<unknown> {
    const origin = `http://127.0.0.1:${String(stage.envoy.port)}`;
    const env = { ...process.env, PYTHONPATH: PACKAGES };
    const { stdout } = await run("python3", [READER, origin, name], { env, timeout: TIMEOUT_MS });
    return JSON.parse(stdout) as unknown;
  }

  describe.each(INTERFACES)("%s", { timeout: TIMEOUT_MS }, (name, title) => {
    beforeEach(() => {
      const events =
        MODEL_INTERFACES.find((candidate) => candidate.name === title)?.answer("t", PIECES) ?? [];
      stage.backend.answerWith({ status: 200, headers: EVENT_STREAM, body: streamed(events) });
    });

    it("an allow: the client executes what was judged", async () => {
      stage.gateway.respondWith(verdict(ALLOW));
      const args = { amount: 5, note: "line\u2028end" };
      expect(await ask(name)).toEqual({ calls: [{ tool: "t", args }] });
      expect(stage.asked()).toEqual([{ agent_id: "refund-agent", tool: "t", args }]);
    });

    it("X8: a rewrite: the client executes the rewritten arguments", async () => {
      stage.gateway.respondWith(verdict(shaped({ amount: 5 })));
      expect(await ask(name)).toEqual({ calls: [{ tool: "t", args: { amount: 5 } }] });
    });

    it("a deny: the library reports 403", async () => {
      stage.gateway.respondWith(verdict(DENY));
      expect(await ask(name)).toEqual({ status: 403 });
    });
  });
});
