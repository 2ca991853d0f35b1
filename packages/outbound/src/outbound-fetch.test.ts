import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { OutboundDialer } from "./outbound-dialer.ts";
import { type OutboundFetch, outboundFetch } from "./outbound-fetch.ts";

/** A receiver and a function that may call it. */
async function fetchTo(listener: RequestListener): Promise<{ url: string; fetch: OutboundFetch }> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const dialer = new OutboundDialer({ rules: { allow: [], allowPrivate: true }, authorities: [] });
  onTestFinished(async () => {
    await dialer.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const fetch = outboundFetch(dialer, { deadlineMs: 10_000, maxBytes: 1_024 });
  return { url: `http://127.0.0.1:${String(port)}`, fetch };
}

it("sends what a library asks for, and answers with status, headers and body", async () => {
  const { url, fetch } = await fetchTo((request, response) => {
    const { "content-type": type, authorization } = request.headers;
    response.writeHead(201, { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] });
    request.setEncoding("utf8").once("data", (body: string) => {
      response.end(JSON.stringify({ method: request.method, type, authorization, body }));
    });
  });
  const headers = new Headers({ authorization: "Basic eA==" });
  const answer = await fetch(new URL("/token", url), {
    method: "POST",
    headers,
    body: new URLSearchParams({ grant: "x y" }),
  });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
  expect(await answer.json()).toEqual({
    method: "POST",
    type: "application/x-www-form-urlencoded;charset=UTF-8",
    authorization: "Basic eA==",
    body: "grant=x+y",
  });
});

// proves OUT-03
it("hands a redirect back, and never follows it", async () => {
  let requests = 0;
  const { url, fetch } = await fetchTo((_, response) => {
    requests += 1;
    response.writeHead(307, { location: "http://169.254.169.254/" }).end();
  });
  const answer = await fetch(url, { redirect: "follow" });
  expect([answer.status, answer.headers.get("location"), requests]).toEqual([
    307,
    "http://169.254.169.254/",
    1,
  ]);
});

it.each(["http://169.254.169.254/", "http://[::1]:1/x?y=secret", "https://user:pass@example.com/"])(
  "rejects when a rule forbids the call, and says where, without path or credentials: %s",
  async (url) => {
    const dialer = new OutboundDialer({ rules: { allow: [], allowPrivate: false }, authorities: [] });
    onTestFinished(() => dialer.close());
    const fetch = outboundFetch(dialer, { deadlineMs: 10_000, maxBytes: 1_024 });
    const error = await fetch(url).then(String, String);
    expect(error).toMatch(/^TypeError: https?:\/\/[^/@]+: .*(never calls|does not name it|credentials)/);
    expect(error).not.toMatch(/secret|pass@/);
  },
);

it("takes half of an answer for none", async () => {
  const { url, fetch } = await fetchTo((_, response) => void response.end("x".repeat(2_000)));
  await expect(fetch(url)).rejects.toThrow(/longer than 1024 bytes$/);
});

it("ends with the signal of its caller, and answers without a body where there is none", async () => {
  const { url, fetch } = await fetchTo((request, response) => {
    if (request.url === "/empty") response.writeHead(204).end();
  });
  expect((await fetch(`${url}/empty`)).body).toBeNull();
  await expect(fetch(url, { signal: AbortSignal.abort() })).rejects.toThrow();
});

it("refuses what the dialer cannot send, instead of sending something else", async () => {
  const { url, fetch } = await fetchTo((_, response) => void response.end());
  await expect(fetch(url, { method: "POST", body: new FormData() })).rejects.toThrow(/^body: expected/);
  await expect(fetch(url, { method: "CONNECT" })).rejects.toThrow(/^method: expected/);
  await expect(fetch(url, { headers: { Host: "other.internal" } })).rejects.toThrow(/^headers: expected/);
});
