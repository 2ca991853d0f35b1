import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ALLOW, DENY, PAUSE, shaped } from "../support/adapters/gateway-verdicts.ts";
import type { Responder } from "../support/adapters/recording-server.ts";
import { type GuardrailStage, startGuardrailStage } from "./guardrail-stage.ts";
import { askModel, type ClientAnswer, type LlmGateway, type LlmGatewayPeers } from "./llm-gateway.ts";

/** The agent that the shipped configurations name. */
export const SHIPPED_AGENT = "support-agent";

/** A call that must not reach its client unless it was allowed. */
export const REFUND = { tool: "payments.refund", args: { amount: 5, card: "4111" } };
const LOOKUP = { tool: "crm.lookup", args: { customer: "c-7" } };

/** Milliseconds after which these callers give up: both shipped configurations say three seconds. */
const CALLERS_PATIENCE_MS = 3_000;

/** More characters than the adapter reads of one message. */
const TOO_LARGE = 1_100_000;

/** Pieces of what the model proposed, none of which a blocked client may see. */
const PROPOSED = /4111|amount|c-7|I refund/;

export interface LlmGatewayKind {
  readonly start: (peers: LlmGatewayPeers) => Promise<LlmGateway>;
  /** Statuses with which it refuses: by a verdict, and because nothing answered it. */
  readonly refusals: { readonly blocked: number; readonly unanswered: number };
  /** What a client gets when the policy rewrites the arguments of a proposed call. */
  readonly rewritesArguments: boolean;
}

/** Faults of the gateway behind the adapter, each with the code of the deny that it becomes. */
const FAULTS: readonly { readonly name: string; readonly code: string; readonly respond: Responder }[] = [
  { name: "is silent", code: "decision_timeout", respond: () => {} },
  {
    name: "resets the connection",
    code: "gateway_unreachable",
    respond: (_, response) => response.destroy(),
  },
  { name: "answers 500", code: "gateway_refused", respond: answering(500, JSON.stringify(ALLOW)) },
  { name: "answers half a verdict", code: "gateway_unreachable", respond: halfAnAllow },
  { name: "answers HTML", code: "verdict_unreadable", respond: answering(200, "<html>allow</html>") },
  { name: "answers nothing", code: "verdict_unreadable", respond: answering(200, "") },
  {
    name: "answers a word of its own",
    code: "verdict_unreadable",
    respond: answering(200, '{"decision":"allowed","decision_id":"g.1","args_constrained":false}'),
  },
];

function answering(status: number, body: string): Responder {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
}

function halfAnAllow(...[, response]: Parameters<Responder>): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
  response.write('{"decision":"allow",', () => response.destroy());
}

/** What holds for every gateway for models with its shipped configuration. `more` adds what one alone has. */
export function governsModels(kind: LlmGatewayKind, more: (stage: () => GuardrailStage) => void): void {
  let stage: GuardrailStage;
  beforeAll(async () => {
    stage = await startGuardrailStage(kind.start);
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    stage.model.answer({ text: "I refund.", calls: [REFUND] });
    stage.reset();
  });
  const ask = (known?: object): Promise<ClientAnswer> => askModel(stage.llm, known);

  /** Has the gateway replace texts, and leave the other arguments as they are. */
  function rewriteTexts(tool: string, texts: object): void {
    stage.gateway.answer((call) =>
      call["tool"] === tool ? shaped({ ...(call["args"] as object), ...texts }) : ALLOW,
    );
  }

  function expectBlocked(answer: ClientAnswer, reason: string): void {
    expect(answer.status).toBe(kind.refusals.blocked);
    expect(answer.text).toContain(reason);
    expect(answer.text).not.toMatch(PROPOSED);
  }

  describe("verdicts", () => {
    // proves GRD-01, GRD-06
    it("allows: prompt, text and call are each judged, and all reach the client", async () => {
      const { status, body } = await ask();
      expect(status).toBe(200);
      expect(messageOf(body)).toMatchObject({
        content: "I refund.",
        tool_calls: [{ function: { name: REFUND.tool, arguments: JSON.stringify(REFUND.args) } }],
      });
      const judged = stage.gateway.calls().map(({ agent_id, tool, args }) => ({ agent_id, tool, args }));
      expect(judged).toMatchObject([
        { agent_id: SHIPPED_AGENT, tool: "llm.request", args: { text: "Please help." } },
        { agent_id: SHIPPED_AGENT, tool: "llm.response", args: { text: "I refund." } },
        { agent_id: SHIPPED_AGENT, ...REFUND },
      ]);
    });

    // proves GRD-03
    it("denies a prompt before the model is asked", async () => {
      stage.judge({ "llm.request": DENY });
      expectBlocked(await ask(), DENY.reason);
      expect(stage.model.prompts()).toEqual([]);
    });

    // proves GRD-03
    it.each(["llm.response", REFUND.tool])("denies an answer for what it holds: %s", async (tool) => {
      stage.judge({ [tool]: DENY });
      expectBlocked(await ask(), DENY.reason);
    });

    // proves GRD-03
    it("pauses, and the client learns where to ask for approval", async () => {
      stage.judge({ [REFUND.tool]: PAUSE });
      const answer = await ask();
      expectBlocked(answer, PAUSE.reason);
      expect(answer.text).toContain(PAUSE.approval_url);
    });

    // proves GRD-06
    it.each([
      ["the first", [REFUND, LOOKUP]],
      ["the last", [LOOKUP, LOOKUP, REFUND]],
    ])("denies an answer of several calls for one: %s", async (_, calls) => {
      stage.model.answer({ calls });
      stage.judge({ [REFUND.tool]: DENY });
      expectBlocked(await ask(), DENY.reason);
    });

    it("a denied call decides over one that waits for approval", async () => {
      stage.model.answer({ calls: [LOOKUP, REFUND] });
      stage.judge({ [LOOKUP.tool]: PAUSE, [REFUND.tool]: DENY });
      expectBlocked(await ask(), DENY.reason);
    });

    // proves GRD-06
    it("judges the calls of every choice, not only of the first", async () => {
      stage.model.answer({ text: "I refund.", calls: [REFUND], choices: [{ text: "No." }] });
      stage.judge({ [REFUND.tool]: DENY });
      expectBlocked(await ask({ n: 2 }), DENY.reason);
    });
  });

  // proves GRD-03
  it("F7: a conversation that is too large to judge is blocked", async () => {
    const messages = [{ role: "user", content: "x".repeat(TOO_LARGE) }];
    expectBlocked(await ask({ messages }), "request_malformed");
    expect(stage.model.prompts()).toEqual([]);
  });

  describe("rewrites", () => {
    // proves GRD-02
    it("a prompt reaches the model as the policy rewrote it", async () => {
      const messages = [{ role: "user", content: "Please ***." }];
      rewriteTexts("llm.request", { text: "Please ***.", messages });
      expect((await ask()).status).toBe(200);
      expect(stage.model.prompts()).toMatchObject([{ messages }]);
    });

    // proves GRD-02
    it("a text reaches the client as the policy rewrote it, beside a call that stays as it is", async () => {
      const messages = [{ role: "assistant", content: "***" }];
      rewriteTexts("llm.response", { text: "***", messages });
      const { status, text, body } = await ask();
      expect(status).toBe(200);
      expect(text).not.toContain("I refund.");
      expect(messageOf(body)).toMatchObject({
        content: "***",
        tool_calls: [{ function: { arguments: JSON.stringify(REFUND.args) } }],
      });
    });

    // proves GRD-02
    it("the arguments of a call reach the client rewritten, or not at all", async () => {
      stage.model.answer({ calls: [LOOKUP, REFUND] });
      stage.judge({ [REFUND.tool]: shaped({ amount: 1 }) });
      const answer = await ask();
      if (!kind.rewritesArguments) {
        expectBlocked(answer, "shaping_unsupported");
        return;
      }
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain("4111");
      const calls = [LOOKUP, { tool: REFUND.tool, args: { amount: 1 } }];
      expect(messageOf(answer.body)).toMatchObject({
        tool_calls: calls.map(({ tool, args }) => ({
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      });
    });
  });

  // proves GRD-03, GRD-04
  describe.each(FAULTS)("F7: a gateway that $name", ({ code, respond }) => {
    it("blocks the prompt within the adapter's own timeout", async () => {
      stage.gateway.failWith(respond);
      const started = performance.now();
      expectBlocked(await ask(), code);
      expect(performance.now() - started).toBeLessThan(CALLERS_PATIENCE_MS);
      expect(stage.model.prompts()).toEqual([]);
    });

    it("blocks the answer", async () => {
      stage.gateway.failWith((request, response) => {
        if (!request.body.includes('"llm.request"')) return respond(request, response);
        return answering(200, JSON.stringify(ALLOW))(request, response);
      });
      expectBlocked(await ask(), code);
      expect(stage.model.prompts()).toHaveLength(1);
    });
  });

  it("F7: a gateway that is down blocks, and one that is back allows", async () => {
    await stage.gateway.server.close();
    try {
      expectBlocked(await ask(), "gateway_unreachable");
    } finally {
      await stage.gateway.server.reopen();
    }
    expect((await ask()).status).toBe(200);
  });

  more(() => stage);

  describe("svc-checkgw itself", () => {
    function expectUnanswered({ status, text }: ClientAnswer): void {
      expect(status).toBe(kind.refusals.unanswered);
      expect(text).not.toMatch(PROPOSED);
      expect(stage.model.prompts()).toEqual([]);
    }

    it("stopped: blocks when the caller gives up, and allows once it continues", async () => {
      stage.checkgw.signal("SIGSTOP");
      try {
        expectUnanswered(await ask());
      } finally {
        stage.checkgw.signal("SIGCONT");
      }
      await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200);
    });

    // The last test: nothing answers after it.
    it("killed: blocks", async () => {
      await stage.checkgw.stop("SIGKILL");
      expectUnanswered(await ask());
    });
  });
}

/** The message of the first choice of a chat completion. */
export function messageOf(body: ClientAnswer["body"]): unknown {
  const choices = body?.["choices"] as readonly { readonly message: unknown }[] | undefined;
  return choices?.[0]?.message;
}
