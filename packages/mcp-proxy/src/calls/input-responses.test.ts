import { describe, expect, it } from "vitest";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { ALLOW, callOf, DENY } from "../testing/start-mcp-proxy.ts";

const inputResponses = { card: { action: "accept", content: { who: "root", number: "4111111111111111" } } };
const retry = { arguments: { text: "hi" }, inputResponses, requestState: "opaque" };

// proves MCP-15
describe("M8: a client's answers to its server's questions are judged with the call", () => {
  it("as the argument inputResponses, and do not reach the server when denied", async () => {
    const proxy = await proxyOfTest({
      decide: ({ args }) => Promise.resolve(JSON.stringify(args).includes("root") ? DENY : ALLOW),
    });
    const { json } = await proxy.send({ body: callOf(retry) });
    expect(json["error"]).toMatchObject({ code: 403_001 });
    expect(proxy.asked).toMatchObject([{ tool: "echo", args: { text: "hi", inputResponses } }]);
    expect(proxy.server.seen).toEqual([]);
  });

  it("and arrive unchanged, with the state that only the server can read", async () => {
    const proxy = await proxyOfTest();
    await proxy.send({ body: callOf(retry) });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(callOf(retry));
  });

  it.each([
    { shaped: { text: "ho", inputResponses: { card: "masked" } }, arrives: { card: "masked" } },
    { shaped: { text: "ho" }, arrives: {} },
  ])("and a rewrite to $shaped goes back to params.inputResponses", async ({ shaped, arrives }) => {
    const decide = { ...ALLOW, args_constrained: true, shaped_args: shaped };
    const proxy = await proxyOfTest({ decide });
    await proxy.send({ body: callOf(retry) });
    const wanted = callOf({ ...retry, arguments: { text: "ho" }, inputResponses: arrives });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(wanted);
  });

  it("an argument of that name without params.inputResponses stays an argument", async () => {
    const shaped_args = { inputResponses: "ho" };
    const proxy = await proxyOfTest({ decide: { ...ALLOW, args_constrained: true, shaped_args } });
    await proxy.send({ body: callOf({ arguments: { inputResponses: "hi" } }) });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(callOf({ arguments: shaped_args }));
  });

  it.each(["inputResponses", "input_responses", "InputResponses"])(
    "an argument %s beside them is ambiguous and refused",
    async (name) => {
      const proxy = await proxyOfTest();
      const { json } = await proxy.send({ body: callOf({ ...retry, arguments: { [name]: {} } }) });
      expect(json["error"]).toMatchObject({ code: 503_001, data: { reason_code: "request_malformed" } });
      expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
    },
  );
});
