import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { expect, it, onTestFinished } from "vitest";
import { explainFault } from "./explain-fault.ts";
import { OutboundDialer } from "./outbound-dialer.ts";

const fault = (message: string, more: object): Error => Object.assign(new Error(message), more);

it.each([
  [
    fault("self-signed certificate; if the root CA is installed locally, try running Node.js with x", {}),
    "self-signed certificate; SVC_OUTBOUND_CA_FILE names authorities of your own",
  ],
  [
    fault("error:0A0000C6:SSL", { code: "ERR_SSL_PACKET_LENGTH_TOO_LONG" }),
    "x: this port does not speak TLS",
  ],
  [
    fault("attempted addresses: 10.1.2.3:443", { code: "UND_ERR_CONNECT_TIMEOUT" }),
    "no connection to x: its port did not answer in time",
  ],
  [
    Object.assign(new AggregateError([new Error("connect ECONNREFUSED 10.1.2.3")]), { code: "ECONNREFUSED" }),
    "no connection to x (ECONNREFUSED)",
  ],
  [
    fault("connect EHOSTUNREACH 10.1.2.3:443", { code: "EHOSTUNREACH", syscall: "connect" }),
    "no connection to x (EHOSTUNREACH)",
  ],
  [fault("other side closed", { code: "UND_ERR_SOCKET" }), "other side closed"],
])("says in plain words: %s", (error, reason) => expect(explainFault(error, "x")).toBe(reason));

it("says of a port without TLS that it has none", async () => {
  const server = createServer((_, response) => response.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const dialer = new OutboundDialer({ rules: { allow: [], allowPrivate: true }, authorities: [] });
  onTestFinished(async () => {
    await dialer.close();
    server.close();
  });
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const asked = { method: "GET", headers: {}, body: null, deadlineMs: CONDITION_MS, maxBytes: 10 };
  const reason = "127.0.0.1: this port does not speak TLS";
  expect(await dialer.send({ ...asked, url })).toEqual({ kind: "failed", reason });
});
