import { isOverrideHeader } from "@svc/tool-calls/override-headers";
import { describe, expect, it } from "vitest";
import { sendAnswer } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf, readWhole } from "../testing/start-mcp-proxy.ts";

describe("requests that pass unchanged", () => {
  // proves MCP-03
  it.each(["initialize", "ping", "tools/list", "prompts/list", "resources/list", "server/discover"])(
    "%s, byte for byte",
    async (method) => {
      const proxy = await proxyOfTest();
      const body = ` {"method":"${method}", "params":{"b":1.0,"a":"\\u0041"}, "jsonrpc":"2.0","id":"x"}\n`;
      expect((await proxy.send({ body })).json).toEqual({
        jsonrpc: "2.0",
        id: "x",
        result: { b: 1, a: "A" },
      });
      expect(proxy.server.seen[0]?.body).toBe(body);
      expect(proxy.asked).toEqual([]);
    },
  );

  // proves MCP-03
  it.each(["notifications/initialized", "notifications/cancelled", "notifications/vendor/new"])(
    "%s",
    async (method) => {
      const proxy = await proxyOfTest();
      const body = `{"jsonrpc":"2.0","method":"${method}"}`;
      expect((await proxy.send({ body })).status).toBe(202);
      expect(proxy.server.seen[0]?.body).toBe(body);
    },
  );

  // proves MCP-17
  it("registrations and forms of OAuth", async () => {
    const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, { fine: true }, 201) });
    const registration = { target: "/register", body: '{"redirect_uris":["http://localhost/"]}' };
    const forms = ["/token", "/revoke", "/authorize"].map((target) => ({
      target,
      headers: [["content-type", "application/x-www-form-urlencoded"]] as const,
      body: "grant_type=authorization_code&code=a%20b",
    }));
    for (const request of [registration, ...forms]) {
      expect((await proxy.send(request)).status).toBe(201);
      expect(proxy.server.seen.at(-1)).toMatchObject({ url: request.target, body: request.body });
    }
  });

  it("metadata, the end of a session, status and headers of the server", async () => {
    const challenge = 'Bearer resource_metadata="https://up.example/.well-known/oauth-protected-resource"';
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(401, { "www-authenticate": challenge }).end("no"),
    });
    const get = await proxy.send({ target: "/.well-known/oauth-protected-resource/mcp?x=1" });
    expect([get.status, get.headers["www-authenticate"], get.text]).toEqual([401, challenge, "no"]);
    await proxy.send({ method: "DELETE", headers: [["mcp-session-id", "s"]] });
    expect(proxy.server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /.well-known/oauth-protected-resource/mcp?x=1",
      "DELETE /mcp",
    ]);
    expect(proxy.endedSessions).toEqual([]);
  });

  // proves HELD-11
  it("the end of a session, which then needs no heartbeats", async () => {
    const proxy = await proxyOfTest();
    await proxy.send({ method: "DELETE", headers: [["mcp-session-id", "s"]] });
    expect(proxy.endedSessions).toMatchObject([{ sessionId: "s" }]);
  });

  // proves ADP-06
  it("without headers that override the method or the path", async () => {
    const proxy = await proxyOfTest();
    const names = ["X-HTTP-Method-Override", "X-Original-URL", "x_rewrite_url", "PATH_INFO"];
    await proxy.send({ headers: names.map((name) => [name, "/refunds"] as const), body: callOf() });
    expect(proxy.server.seen).toHaveLength(1);
    expect(Object.keys(proxy.server.seen[0]?.headers ?? {}).filter(isOverrideHeader)).toEqual([]);
  });

  it("unknown headers pass, repeated ones stay repeated, hop-by-hop ones are removed", async () => {
    const proxy = await proxyOfTest();
    const headers: [string, string][] = [
      ["Mcp-Param-Region", "eu"],
      ["X-Twice", "1"],
      ["X-Twice", "2"],
      ["Authorization", "Bearer t"],
      ["MCP-Protocol-Version", "2025-11-25"],
      ["Proxy-Authorization", "Basic x"],
      ["Keep-Alive", "timeout=9"],
      ["Origin", "http://localhost:5173"],
      ["X-Forwarded-For", "192.0.2.1"],
    ];
    await proxy.send({ headers, body: callOf() });
    const seen = proxy.server.seen[0];
    expect(seen?.headers).toMatchObject({
      host: new URL(proxy.server.url).host,
      accept: "application/json, text/event-stream",
      "mcp-param-region": "eu",
      "x-twice": "1, 2",
      authorization: "Bearer t",
      "mcp-protocol-version": "2025-11-25",
      via: "1.1 svc-mcp-proxy-test",
      "x-forwarded-for": "192.0.2.1, 127.0.0.1",
    });
    const names = seen?.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    for (const name of ["origin", "proxy-authorization", "keep-alive"]) expect(names).not.toContain(name);
  });

  it.each([
    ["/", "/mcp"],
    ["/mcp", "/mcp"],
    ["/?q=1", "/mcp?q=1"],
    ["/mcp/", "/mcp/"],
  ])("path %s reaches the server as %s", async (target, wanted) => {
    const proxy = await proxyOfTest();
    await proxy.send({ target, body: callOf() });
    expect(proxy.server.seen[0]?.url).toBe(wanted);
    expect(proxy.asked).toHaveLength(1);
  });

  it("a redirect within the server is cut to its path; a POST is not sent elsewhere", async () => {
    const proxy = await proxyOfTest();
    const redirect = (location: string) => {
      proxy.server.script = (_, response) => response.writeHead(307, { location }).end();
    };
    redirect(`${proxy.server.url}/mcp?x=1`);
    expect((await proxy.send({ body: callOf() })).headers.location).toBe("/mcp?x=1");
    redirect("http://elsewhere.example/mcp");
    const answer = await proxy.send({ body: callOf({}, 5) });
    expect([answer.status, answer.json["id"]]).toEqual([200, 5]);
    expect(answer.json["error"]).toMatchObject({ code: 503_001, data: { reason_code: "upstream_invalid" } });
  });
});

describe("streams", () => {
  it("events pass at once, with ids and comments, and the stream stays open", async () => {
    const proxy = await proxyOfTest();
    const push = Promise.withResolvers<(text: string) => void>();
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      response.flushHeaders();
      push.resolve((text) => void response.write(text));
    };
    const stream = await proxy.open({ headers: [["mcp-session-id", "s-1"]] });
    expect(stream.headers["x-accel-buffering"]).toBe("no");
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const text of ["retry: 10\nid: 1\ndata: {}\n\n", ": still here\n\n", ":\r\n", "data: 2\n\n"]) {
      (await push.promise)(text);
      expect(String((await pieces.next()).value)).toBe(text);
    }
    stream.destroy();
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
  });

  it("events that answer a call pass, and the outcome is read from them", async () => {
    const events =
      'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n' +
      'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(events),
    });
    expect((await proxy.send({ body: callOf() })).text).toBe(events);
    expect(proxy.outcomes).toMatchObject([{ status: "succeeded" }]);
  });

  it("a stream that ends early just ends if it can be resumed; else the proxy answers", async () => {
    const proxy = await proxyOfTest();
    const endAfter = (text: string) => {
      proxy.server.script = (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(text, () => response.destroy());
      };
    };
    endAfter("id: 1\ndata:\n\n");
    expect((await proxy.send({ body: callOf() })).text).toBe("id: 1\ndata:\n\n");
    endAfter("data: {}\n\ndata: {");
    const { text } = await proxy.send({ body: callOf({}, "x") });
    expect(text).toContain("data: {}\n\nevent: message\ndata: ");
    expect(text).toContain('"id":"x","error":{"code":503001');
    expect(proxy.outcomes).toEqual([]);
  });

  it("HTTP+SSE of 2024-11-05 is refused: its endpoint event never passes", async () => {
    const proxy = await proxyOfTest();
    proxy.server.script = ({ method }, response) => {
      if (method === "POST") return void response.writeHead(202).end("Accepted");
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${proxy.server.url}/messages?sessionId=1\n\n`);
    };
    const stream = await readWhole(await proxy.open({ target: "/mcp" }));
    expect(stream.text).toContain("HTTP+SSE of 2024-11-05 is not carried");
    expect(stream.text).not.toContain("/messages");
    expect((await proxy.send({ target: "/messages", body: callOf({}, 3) })).status).toBe(404);
    const answer = await proxy.send({ body: callOf({}, 3) });
    expect([answer.status, answer.json["id"]]).toEqual([200, 3]);
    expect(JSON.stringify(answer.json)).toContain("HTTP+SSE");
  });
});
