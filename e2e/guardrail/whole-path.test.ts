// peers: portkey, litellm
// long: starts a server, the adapter and LLM gateways around them
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { createPolicy } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { activate, deactivate } from "../support/server/kill-switches.ts";
import { type ServerProcess, serverOfTest, startServer } from "../support/server/server-process.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import { startLitellm } from "./litellm-process.ts";
import { messageOf, SHIPPED_AGENT } from "./llm-gateway.suite.ts";
import { askModel, type ClientAnswer, type LlmGateway } from "./llm-gateway.ts";
import type { ModelAnswer } from "./model-wires.ts";
import { startPortkey } from "./portkey-process.ts";

const POLICY = `
id: support
agent_id: ${SHIPPED_AGENT}
tools: { allowed: [llm.*, payments.*, crm.*], denied: [payments.close] }
rules:
  - id: no-mail
    priority: 10
    match: { tool: llm.* }
    action: redact
    redact: { detectors: [pii.email], with: '[email]' }
  - id: large
    priority: 20
    match:
      tool: payments.refund
      condition: { field: args.amount, operator: '>', value: 500 }
    action: require_approval
  - id: clamp
    priority: 30
    match: { tool: crm.credit }
    action: constrain
    constrain: { max: { args.amount: 100 } }
`;

/** As in the guide to the shipped configurations. */
const NO_STREAMS = `
id: support
agent_id: ${SHIPPED_AGENT}
tools: { allowed: [llm.*] }
rules:
  - id: no-streams
    match: {tool: llm.request, condition: {field: args.stream, operator: "==", value: true}}
    action: deny
`;

const GATEWAYS = [
  { name: "Portkey", start: startPortkey, refused: 446, rewritesArguments: true },
  { name: "LiteLLM", start: startLitellm, refused: 400, rewritesArguments: false },
];

// skip: needs Portkey, which the test runner installs where it can
it.skipIf(missing.portkey)("a policy closes what Portkey leaves open: streamed answers", async () => {
  const server = await serverOfTest();
  expect(await createPolicy(server.url, NO_STREAMS)).toMatchObject({ status: 201 });
  const model = await startFakeModel();
  const checkgw = await startCheckgw(server.url);
  const llm = await startPortkey({ checkgwPort: checkgw.port, modelPort: model.port });
  onTestFinished(async () => {
    await llm.stop();
    await checkgw.stop();
    await model.close();
  });
  for (const stream of [true, 1, "true"]) {
    const { status, text } = await askModel(llm, { stream });
    expect(status).toBe(446);
    expect(text).toContain('"rule_id":"no-streams"');
  }
  expect(model.prompts()).toEqual([]);
  expect((await askModel(llm)).status).toBe(200);
  expect((await askModel(llm, { stream: false })).status).toBe(200);
});

// skip: needs Portkey and LiteLLM, which the test runner installs where it can
describe.skipIf(missing.portkey || missing.litellm).each(GATEWAYS)(
  "client, $name, svc-checkgw, svc-server and model",
  ({ start, refused, rewritesArguments }) => {
    let server: ServerProcess;
    let checkgw: RunningCheckgw;
    let model: FakeModel;
    let llm: LlmGateway;
    beforeAll(async () => {
      server = await startServer();
      const created = await createPolicy(server.url, POLICY);
      expect(created).toMatchObject({ status: 201 });
      model = await startFakeModel();
      checkgw = await startCheckgw(server.url);
      llm = await start({ checkgwPort: checkgw.port, modelPort: model.port });
    });
    afterAll(async () => {
      await llm?.stop();
      await checkgw?.stop();
      await model?.close();
      await server?.stop("SIGKILL");
    });
    let before = 0;
    beforeEach(async () => {
      model.forget();
      before = (await checkedExport(server.url)).length;
    });

    /** What the log has of the decisions of this test, in order. */
    async function decisions(): Promise<readonly unknown[]> {
      const rows = (await checkedExport(server.url)).slice(before).map(({ row }) => row);
      return rows
        .filter(({ kind }) => kind === "decision")
        .map(({ agent_id, tool, decision }) => `${String(agent_id)} ${String(tool)} ${String(decision)}`);
    }
    const rowOf = (tool: string, decision: string): string => `${SHIPPED_AGENT} ${tool} ${decision}`;
    const PROMPT = rowOf("llm.request", "allow");

    async function ask(answer: ModelAnswer, known: object = {}): Promise<ClientAnswer> {
      model.answer(answer);
      return askModel(llm, known);
    }

    // proves GRD-01, GRD-06, AUD-01
    it("what is allowed reaches the client, with one row for each thing that was judged", async () => {
      const calls = [{ tool: "payments.refund", args: { amount: 5 } }];
      const { status, body } = await ask({ text: "Done.", calls });
      expect(status).toBe(200);
      expect(messageOf(body)).toMatchObject({ content: "Done.", tool_calls: [{ type: "function" }] });
      expect(await decisions()).toEqual([
        PROMPT,
        rowOf("llm.response", "allow"),
        rowOf("payments.refund", "allow"),
      ]);
    });

    // proves GRD-02
    it("a mail address is masked before the model sees it, and before the client does", async () => {
      const messages = [{ role: "user", content: "Write to jane@example.org, please." }];
      const { status, text, body } = await ask({ text: "I wrote to bob@example.org." }, { messages });
      expect(status).toBe(200);
      expect(model.prompts()).toMatchObject([
        { messages: [{ role: "user", content: "Write to [email], please." }] },
      ]);
      expect(messageOf(body)).toMatchObject({ content: "I wrote to [email]." });
      expect(text).not.toContain("bob@");
      expect(await decisions()).toEqual([PROMPT, rowOf("llm.response", "allow")]);
    });

    // proves GRD-02
    it("an amount is lowered on its way to the client, or blocked where that cannot be carried", async () => {
      const { status, text, body } = await ask({
        calls: [{ tool: "crm.credit", args: { amount: 900, note: "x" } }],
      });
      expect(text).not.toMatch(/amount\W+900/);
      expect(status).toBe(rewritesArguments ? 200 : refused);
      if (rewritesArguments) {
        const lowered = { name: "crm.credit", arguments: '{"amount":100,"note":"x"}' };
        expect(messageOf(body)).toMatchObject({ tool_calls: [{ function: lowered }] });
      }
      expect(await decisions()).toEqual([PROMPT, rowOf("crm.credit", "allow")]);
    });

    // proves GRD-03
    it("a large refund waits for a person, and the client gets the address of the page", async () => {
      const { status, text } = await ask({ calls: [{ tool: "payments.refund", args: { amount: 501 } }] });
      expect(status).toBe(refused);
      expect(text).toMatch(/https?:\/\/[^"\s]+\/approvals\/[^"\s]+/);
      expect(text).not.toMatch(/amount\W+501/);
      expect(await decisions()).toEqual([PROMPT, rowOf("payments.refund", "pause")]);
    });

    // proves GRD-03, GRD-06
    it("one denied call blocks the allowed calls beside it", async () => {
      const refund = { tool: "payments.refund", args: { amount: 5 } };
      const { status, text } = await ask({ calls: [refund, { tool: "payments.close", args: {} }, refund] });
      expect(status).toBe(refused);
      expect(text).not.toContain("amount");
      expect(await decisions()).toEqual([
        PROMPT,
        rowOf("payments.refund", "allow"),
        rowOf("payments.close", "deny"),
      ]);
    });

    // proves GRD-05
    it("a streamed answer is judged and on record, whatever happened to it", async () => {
      await ask({ text: "one two" }, { stream: true });
      const rows = await decisions();
      expect(rows.slice(0, 2)).toEqual([PROMPT, rowOf("llm.response", "allow")]);
    });

    // proves GRD-03
    it("a kill switch blocks the next prompt, and its end lets prompts pass", async () => {
      const activated = await activate(server.url, { scope: "agent", target_id: SHIPPED_AGENT });
      expect(activated.status).toBe(201);
      const { status, text } = await ask({ text: "hello" });
      expect(status).toBe(refused);
      expect(text).toContain("kill_switch");
      expect(model.prompts()).toEqual([]);
      expect((await deactivate(server.url, activated.body["kill_switch_id"])).status).toBe(200);
      expect((await ask({ text: "hello" })).status).toBe(200);
    });
  },
);
