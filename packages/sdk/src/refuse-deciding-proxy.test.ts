import { describe, expect, it } from "vitest";
import { type Runtime, refuseDecidingProxy } from "./refuse-deciding-proxy.ts";

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
