import { expect, it } from "vitest";
import { SvcClient } from "./svc-client.ts";
import { transportFault } from "./transport-fault.ts";

it("names a port that fetch never connects to", async () => {
  const client = new SvcClient({ baseUrl: "http://127.0.0.1:9" });
  expect(await client.decide("payments.refund", {}, { agentId: "a" })).toMatchObject({
    reason_code: "gateway_unreachable",
    reason: "No answer came from the gateway (BAD_PORT).",
    hint: expect.stringContaining("fetch refuses to connect to the port of http://127.0.0.1:9"),
  });
});

// What Node, Deno, Bun and workers throw.
it.each([
  [Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } }), "FETCH_FAILED"],
  [new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "EPIPE" }) }), "EPIPE"],
  [
    new TypeError("error sending request: tcp connect error: Connection refused (os error 111)"),
    "ECONNREFUSED",
  ],
  [Object.assign(new Error("Unable to connect"), { code: "ConnectionRefused" }), "ECONNREFUSED"],
  [new Error("The socket connection was closed unexpectedly"), "ECONNRESET"],
  [new Error("Network connection lost."), "ECONNRESET"],
  [new TypeError("dns error: failed to lookup address information"), "ENOTFOUND"],
  [new TypeError("invalid peer certificate: UnknownIssuer"), "TLS"],
  [new Error("key svc_secret"), "FETCH_FAILED"],
  ["text", "FETCH_FAILED"],
])("tells a fault by a code and never by its text: %s", (error, code) => {
  expect(transportFault(error)).toBe(code);
});
