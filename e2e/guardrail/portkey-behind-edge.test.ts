// peers: nginx, portkey
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DENY } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { sendRaw } from "../support/requests/raw-http.ts";
import { readShippedClient, startGuardrailEdge } from "./guardrail-edge-process.ts";
import { type GuardrailStage, startGuardrailStage } from "./guardrail-stage.ts";
import { REFUND, SHIPPED_AGENT } from "./llm-gateway.suite.ts";
import { askModel, type ClientAnswer, type LlmGateway, type LlmGatewayPeers } from "./llm-gateway.ts";
import { startPortkey } from "./portkey-process.ts";

/** Clients of the edge, named for the provider that they get. */
const KEYS = { openai: "openai-0123456789abcdef", anthropic: "anthropic-0123456789abcdef" } as const;

/** As the shipped comment says to write $, ' and what else nginx changes. */
const PROVIDER_KEY = { written: "k\\u0024a\\u0027b\\u0022\\u005cn", meant: "k$a'b\"\\n" };

const BLOCKED = 446;

/** Refused by the edge itself. */
const EDGE_REFUSALS = [400, 404, 405];

// skip: needs Portkey and nginx, which the test runner installs where it can
describe.skipIf(missing.portkey || missing.nginx)("Portkey behind its edge", () => {
  let stage: GuardrailStage;
  beforeAll(async () => {
    stage = await startGuardrailStage(startPortkeyBehindEdge);
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    stage.model.answer({ text: "I refund.", calls: [REFUND] });
    stage.reset();
  });

  interface Asking {
    readonly known?: object;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  const ask = ({ known, path, headers }: Asking = {}): Promise<ClientAnswer> =>
    askModel({ ...stage.llm, headers: { ...stage.llm.headers, ...headers } }, known, path);

  const denyAll = () => stage.judge({ "llm.request": DENY, "llm.response": DENY, [REFUND.tool]: DENY });

  function expectBlocked({ status, text }: ClientAnswer): void {
    expect(status).toBe(BLOCKED);
    expect(text).toContain(DENY.reason);
    expect(text).not.toContain("4111");
    expect(stage.model.requests).toEqual([]);
  }

  describe("every request that passes is judged", () => {
    it("a chat completion, for the operator's agent and with the provider's key", async () => {
      const { status, text } = await ask();
      expect(status).toBe(200);
      expect(text).toContain("4111");
      const asked = stage.gateway.calls();
      expect(asked.map(({ tool }) => tool)).toEqual(["llm.request", "llm.response", REFUND.tool]);
      for (const call of asked) expect(call).toMatchObject({ agent_id: SHIPPED_AGENT });
      const [seen] = stage.model.requests;
      expect(seen?.headers.authorization).toBe(`Bearer ${PROVIDER_KEY.meant}`);
      expect(seen?.rawHeaders.join(" ")).not.toContain(KEYS.openai);
    });

    it("Anthropic's messages, with Anthropic's header for the key", async () => {
      const headers = { authorization: "", "x-api-key": KEYS.anthropic };
      const anthropic = { path: "/v1/messages?beta=true", known: { max_tokens: 10 }, headers };
      const { status, text } = await ask(anthropic);
      expect(status).toBe(200);
      expect(text).toContain("4111");
      stage.reset();
      denyAll();
      expectBlocked(await ask(anthropic));
    });

    it.each([
      ["/v1/completions", { prompt: "Please help.", messages: undefined }],
      ["/v1/embeddings", { input: ["Please help."], messages: undefined }],
    ])("%s", async (path, known) => {
      denyAll();
      expectBlocked(await ask({ path, known }));
    });

    it("a stream, which comes whole", async () => {
      const { status, text } = await ask({ known: { stream: true } });
      expect(status).toBe(200);
      expect(text).toContain("4111");
      expect(text).toContain("[DONE]");
      expect(stage.gateway.calls()[0]).toMatchObject({ tool: "llm.request", args: { stream: true } });
    });

    it("F1: the client names its session, and never its agent", async () => {
      const metadata = JSON.stringify({ agent_id: "admin", session_id: "s-1" });
      const headers = {
        "x-svc-session-id": "s-9",
        "x-svc-agent-id": "admin",
        "x-portkey-metadata": metadata,
      };
      expect((await ask({ headers })).status).toBe(200);
      for (const call of stage.gateway.calls()) {
        expect(call).toMatchObject({ agent_id: SHIPPED_AGENT, session_id: "s-9" });
      }
    });
  });

  /** Each of these makes Portkey skip its hooks when it has no edge in front of it. */
  describe("F9: requests that Portkey alone does not judge", () => {
    const ownConfig = (): Record<string, string> => {
      const custom_host = `http://127.0.0.1:${String(stage.model.port)}/v1`;
      const value = JSON.stringify({ provider: "openai", api_key: "none", custom_host });
      return { "x-portkey-config": value, "X-PORTKEY-CONFIG": value, x_portkey_config: value };
    };

    it.each(["x-portkey-config", "X-PORTKEY-CONFIG", "x_portkey_config"])(
      "%s of a client changes nothing",
      async (name) => {
        denyAll();
        expectBlocked(await ask({ headers: { [name]: ownConfig()[name] ?? "" } }));
      },
    );

    it("another provider, host or guardrail of a client changes nothing", async () => {
      denyAll();
      const headers = {
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": `http://127.0.0.1:${String(stage.model.port)}/v1`,
        "x-portkey-default-input-guardrails": "[]",
        "x-portkey-virtual-key": "v",
      };
      expectBlocked(await ask({ headers }));
    });

    it.each([
      "/v1/responses",
      "/v1/chat/completions/",
      "//v1/chat/completions",
      "/v1/proxy/chat/completions",
      "/v1/anything",
      "/v1/x/../chat/completions/",
      "/v1/chat%2Fcompletions",
      "/V1/chat/completions",
      "http://127.0.0.1/v1/responses",
    ])("%s never reaches the model", async (target) => {
      const body = JSON.stringify({
        model: "assistant",
        input: "hi",
        messages: [{ role: "user", content: "hi" }],
      });
      const headers = [`Authorization: Bearer ${KEYS.openai}`, ...linesOf(ownConfig())];
      const answer = await sendRaw(stage.llm.port, { method: "POST", target, headers, body });
      expect(EDGE_REFUSALS).toContain(answer.status);
      expect(answer.body).not.toContain("4111");
      expect(stage.model.requests).toEqual([]);
      expect(stage.gateway.calls()).toEqual([]);
    });

    it.each(["[]", "null", '"text"', "{", '{"messages":[null]}', '{"messages":[{"content":[null]}]}'])(
      "a body of %s never reaches the model unjudged",
      async (body) => {
        denyAll();
        const headers = [`Authorization: Bearer ${KEYS.openai}`];
        const target = "/v1/chat/completions";
        await sendRaw(stage.llm.port, { method: "POST", target, headers, body });
        expect(stage.model.requests).toEqual([]);
      },
    );
  });
});

/** The shipped edge before Portkey, with two clients made of the shipped one. */
async function startPortkeyBehindEdge(peers: LlmGatewayPeers): Promise<LlmGateway> {
  const portkey = await startPortkey(peers);
  try {
    const clients = [
      await clientLine(KEYS.openai, "openai", peers),
      await clientLine(KEYS.anthropic, "anthropic", peers),
    ];
    const edge = await startGuardrailEdge({ before: "portkey", gatewayPort: portkey.port, clients });
    const headers = { authorization: `Bearer ${KEYS.openai}` };
    const stop: LlmGateway["stop"] = async (signal) => {
      await edge.stop();
      return portkey.stop(signal);
    };
    return { ...edge, url: `http://127.0.0.1:${String(edge.port)}`, headers, stop };
  } catch (error) {
    await portkey.stop();
    throw error;
  }
}

async function clientLine(key: string, provider: string, peers: LlmGatewayPeers): Promise<string> {
  const shipped = await readShippedClient();
  const config = shipped.config
    .replaceAll("127.0.0.1:9004", `127.0.0.1:${String(peers.checkgwPort)}`)
    .replace("replace-with-the-provider-key", PROVIDER_KEY.written)
    .replace('"provider":"openai"', `"provider":"${provider}"`);
  const custom_host = `"custom_host":"http://127.0.0.1:${String(peers.modelPort)}/v1"`;
  return `"~^${key}$" '${config.replace("{", `{${custom_host},`)}';`;
}

function linesOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}
