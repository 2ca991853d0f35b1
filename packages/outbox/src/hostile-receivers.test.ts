// peers: openssl
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { sampleWebhookEvent } from "@svc/contract/webhook-event";
import { OutboundDialer } from "@svc/outbound/outbound-dialer";
import { systemClock } from "@svc/process/clock";
import { issueCertificate, mayMissOpenssl } from "@svc/process/testing/certificates";
import { expect, it, onTestFinished } from "vitest";
import { sendDelivery } from "./send-delivery.ts";
import { endpointOf } from "./testing/endpoint-of.ts";

const EVENT = sampleWebhookEvent("policy.decision", {
  id: "evt_gw-1",
  timestamp: "2026-11-22T09:00:00.000Z",
  org_id: "acme",
});
const DELIVERY = { id: "dlv_1", event: EVENT, row: { logId: "gw", seq: 1 }, attempts: 0 };

interface Setting {
  readonly scheme: "http" | "https";
  readonly authorities?: readonly string[];
  /** Milliseconds in place of the seconds that a receiver has. */
  readonly deadlineMs?: number;
}

/** One attempt at a server that answers under the name `hooks.example`. */
async function sendTo(server: Server, { scheme, authorities = [], deadlineMs }: Setting) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const dialer = new OutboundDialer({
    rules: { allow: [], allowPrivate: true },
    authorities,
    resolve: (_, __, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  onTestFinished(async () => {
    await dialer.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const asked: number[] = [];
  const send: OutboundDialer["send"] = async (request) => {
    asked.push(request.deadlineMs);
    return dialer.send({ ...request, deadlineMs: deadlineMs ?? request.deadlineMs });
  };
  const url = `${scheme}://hooks.example:${String((server.address() as AddressInfo).port)}/in`;
  const outcome = await sendDelivery({ dialer: { send }, clock: systemClock }, endpointOf({ url }), DELIVERY);
  expect(asked).toEqual([15_000]);
  return outcome;
}

const failure = (fault: string | RegExp) => ({
  kind: "failed",
  status: null,
  fault: typeof fault === "string" ? fault : expect.stringMatching(fault),
});

// proves HOOK-29
it.each([
  ["one byte at a time", "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", "x", "no answer within 200 ms"],
  ["a head byte by byte", "HTTP/1.1 200 OK\r\nx: ", "y", "no answer within 200 ms"],
  ["nothing", "", "", "no answer within 200 ms"],
])("gives a receiver that sends %s until its deadline", async (_, begin, drip, fault) => {
  const server = createServer((socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(drip), 20);
    socket.on("close", () => clearInterval(timer));
  });
  expect(await sendTo(server, { scheme: "http", deadlineMs: 200 })).toMatchObject(failure(fault));
});

// proves HOOK-29
it("leaves a receiver that floods with informational answers", async () => {
  const server = createServer((socket) => {
    const flood = (): void => {
      while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)));
    };
    socket.on("drain", flood);
    flood();
  });
  expect(await sendTo(server, { scheme: "http" })).toMatchObject(
    failure("more than 8 informational answers"),
  );
});

// proves HOOK-29
// skip: a machine without openssl, which makes the certificates
it.skipIf(mayMissOpenssl).each([
  ["has expired", { days: -1 }, /certificate has expired/],
  ["is of another host", { names: "DNS:other.example" }, /does not match|altnames/],
] as const)("sends nothing to a receiver whose certificate %s", async (_, order, fault) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-deliveries-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const by = issueCertificate(folder, { name: "authority", names: "DNS:ca", isAuthority: true });
  const { certificate, key } = issueCertificate(folder, {
    name: "receiver",
    names: "DNS:hooks.example",
    by,
    ...order,
  });
  let bytes = 0;
  const server = createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
    socket.on("data", (data: Buffer) => (bytes += data.length)).on("error", () => undefined);
  });
  const authorities = [readFileSync(by.certificate, "utf8")];
  expect(await sendTo(server, { scheme: "https", authorities })).toMatchObject(failure(fault));
  expect(bytes).toBe(0);
});
