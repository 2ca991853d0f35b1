import { describe, expect, it } from "vitest";
import { hintOfProxy, type Runtime, refuseDecidingProxy } from "./refuse-deciding-proxy.ts";

const GATEWAY = "http://gateway.example:8080";
const PROXY = { HTTP_PROXY: "http://proxy.example:3128" };
const NODE: Runtime = { process: { execArgv: [] } };

function refusal(
  environment: Record<string, string>,
  runtime: Runtime = { Deno: {} },
  url = GATEWAY,
): string {
  try {
    refuseDecidingProxy(url, environment, runtime);
    return "";
  } catch (error) {
    return error instanceof TypeError ? error.message : "another error";
  }
}

describe("a proxy of the environment", () => {
  // proves RUN-02
  it("is refused where the runtime would send questions through it", () => {
    const told = { ...PROXY, NODE_USE_ENV_PROXY: "1" };
    for (const message of [
      refusal(PROXY),
      refusal(PROXY, { Bun: {}, ...NODE }),
      refusal(told, NODE),
      refusal({ ...PROXY, NODE_OPTIONS: "--max-old-space-size=100 --use-env-proxy" }, NODE),
      refusal(PROXY, { process: { execArgv: ["--use-env-proxy"] } }),
      refusal(PROXY, { process: { execArgv: ["--use_env_proxy"] } }),
      refusal({ ...PROXY, NODE_OPTIONS: '"--use-env-proxy"' }, NODE),
      refusal({ ...PROXY, NODE_OPTIONS: "--use-env-proxy=true" }, NODE),
    ])
      expect(message).toContain("HTTP_PROXY: expected no proxy before the gateway");
    for (const name of ["http_proxy", "all_proxy", "ALL_PROXY"])
      expect(refusal({ [name]: "http://proxy.example" })).toContain(`${name}: expected no proxy`);
    expect(refusal({ ...PROXY, NO_PROXY: "other.example,example" })).toContain(
      "Add gateway.example to NO_PROXY",
    );
    expect(refusal({ ...PROXY, NO_PROXY: "gateway.example", no_proxy: "other.example" })).not.toBe("");
  });

  it.each([
    ["Node does not read it", PROXY, NODE, GATEWAY],
    ["Node is told not to read it", { ...PROXY, NODE_USE_ENV_PROXY: "0" }, NODE, GATEWAY],
    ["a worker has none", {}, {}, GATEWAY],
    ["none is set", { HTTP_PROXY: "" }, { Deno: {} }, GATEWAY],
    ["the gateway is excepted", { ...PROXY, NO_PROXY: "localhost, Gateway.Example" }, { Deno: {} }, GATEWAY],
    ["it only carries bytes", PROXY, { Bun: {} }, "https://gateway.example"],
  ] as const)("is not refused when %s", (_, environment, runtime, url) => {
    expect(refusal(environment, runtime, url)).toBe("");
  });
});

describe("what carries the requests of fetch", () => {
  class EnvHttpProxyAgent {}
  class ProxyAgent {}
  class Agent {}
  const carrying = (carrier: object) => ({ [Symbol.for("undici.globalDispatcher.1")]: carrier });

  // proves RUN-02
  it.each([
    ["a proxy of the environment", carrying(new EnvHttpProxyAgent()), "", "Add gateway.example to NO_PROXY"],
    ["a proxy of the program", carrying(new ProxyAgent()), "gateway.example", "Use https://"],
    [
      "a proxy where newer releases keep it",
      { [Symbol.for("undici.globalDispatcher.2")]: new ProxyAgent() },
      "",
      "Use https://",
    ],
  ])("denies a call behind %s", (_, global, NO_PROXY, fix) => {
    expect(hintOfProxy(GATEWAY, { NO_PROXY }, global)).toContain(fix);
  });

  it.each([
    ["nobody has set anything", {}, GATEWAY],
    ["there is no proxy", carrying(new Agent()), GATEWAY],
    ["the gateway is excepted", carrying(new EnvHttpProxyAgent()), GATEWAY],
    ["a proxy only carries bytes", carrying(new ProxyAgent()), "https://gateway.example"],
  ])("is not in the way when %s", (_, global, url) => {
    expect(hintOfProxy(url, { NO_PROXY: "gateway.example" }, global)).toBeNull();
  });
});
