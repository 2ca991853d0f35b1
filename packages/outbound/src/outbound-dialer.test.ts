import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Resolve } from "./judging-lookup.ts";
import { OutboundDialer } from "./outbound-dialer.ts";

async function receiver(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function dialerFor(allowPrivate: boolean, resolve?: Resolve): OutboundDialer {
  const rules = { allow: [], allowPrivate };
  const dialer = new OutboundDialer({
    rules,
    authorities: [],
    ...(resolve === undefined ? {} : { resolve }),
  });
  onTestFinished(() => dialer.close());
  return dialer;
}

const send = (dialer: OutboundDialer, url: string, deadlineMs = 10_000) =>
  dialer.send({ url, method: "POST", headers: {}, body: "{}", deadlineMs, maxBytes: 1_024 });

/** Forms of this machine, of link-local services and of networks that nobody may name. */
const HOSTS = ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::]"].concat(
  ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::7f00:1]"],
  ["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "[fe80::1]", "[fd00:ec2::254]"],
  ["10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "localhost"],
  ["127.0.0.1.", "１２７.0.0.1", "127。0。0。1", "LOCALHOST", "%31%32%37.0.0.1"],
);

// proves OUT-01
it.each(HOSTS)("sends nothing to %s", async (host) => {
  let requests = 0;
  const port = await receiver((_, response) => {
    requests += 1;
    response.end();
  });
  const dialer = dialerFor(false);
  for (const scheme of ["http", "https"])
    expect(await send(dialer, `${scheme}://${host}:${String(port)}/`)).toMatchObject({ kind: "refused" });
  expect(requests).toBe(0);
});

it.each([
  "ftp://example.com",
  "file:///etc/passwd",
  "https://a:b@example.com",
  "https://example.com/#x",
  "x",
])("refuses the URL %s", async (url) =>
  expect(await send(dialerFor(true), url)).toMatchObject({ kind: "refused" }),
);

// proves OUT-04
it("judges the address that is used: a name that changes its address gains nothing", async () => {
  const port = await receiver((_, response) => response.end());
  const answers = ["8.8.8.8", "127.0.0.1"];
  const seen: string[] = [];
  const dialer = dialerFor(false, (_, __, done) => {
    const address = answers[Math.min(seen.length, 1)] ?? "";
    seen.push(address);
    done(null, [{ address, family: 4 }]);
  });
  const url = `http://rebinding.example:${String(port)}/`;
  expect(await send(dialer, url)).toMatchObject({ kind: "refused", reason: /https alone/ });
  expect(await send(dialer, url)).toMatchObject({
    kind: "refused",
    reason: /^rebinding\.example is the name of a private address;[^0-9]*$/,
  });
  expect(seen).toEqual(answers);
});

it("refuses a name that has one private address among public ones", async () => {
  const addresses = ["8.8.8.8", "10.0.0.1"].map((address) => ({ address, family: 4 }));
  const dialer = dialerFor(false, (_, __, done) => done(null, addresses));
  expect(await send(dialer, "https://mixed.example/")).toMatchObject({ kind: "refused" });
});

it("follows no redirect, and reads no more of an answer than asked", async () => {
  const port = await receiver((incoming, response) => {
    if (incoming.url === "/long") response.end("x".repeat(1e6));
    else response.writeHead(302, { location: "http://169.254.169.254/" }).end();
  });
  const dialer = dialerFor(true);
  const url = `http://127.0.0.1:${String(port)}`;
  expect(await send(dialer, `${url}/`)).toMatchObject({ kind: "answer", status: 302 });
  const long = await send(dialer, `${url}/long`);
  expect(long).toMatchObject({ kind: "answer", status: 200, isCut: true });
  expect(long.kind === "answer" ? long.body.length : 0).toBe(1_024);
});

it("has one deadline, also for an answer that never ends", async () => {
  const port = await receiver((_, response) => void response.writeHead(200).write("x"));
  const outcome = await send(dialerFor(true), `http://127.0.0.1:${String(port)}/`, 200);
  expect(outcome).toEqual({ kind: "failed", reason: "no answer within 200 ms" });
});

it("lets no request of a pool wait for those of another one that hang", async () => {
  const port = await receiver((request, response) => {
    if (request.url === "/well") response.end("ok");
  });
  const dialer = dialerFor(true);
  const origin = `http://127.0.0.1:${String(port)}`;
  const ended = new AbortController();
  const limits = { deadlineMs: 10_000, maxBytes: 1_024 };
  const asked = { method: "POST", headers: {}, body: "{}", ...limits };
  const hanging = Array.from({ length: 20 }, async () =>
    dialer.send({ ...asked, url: `${origin}/hangs`, pool: "a", signal: ended.signal }),
  );
  expect(await dialer.send({ ...asked, url: `${origin}/well`, pool: "b" })).toMatchObject({ status: 200 });
  ended.abort();
  await Promise.all(hanging);
});
