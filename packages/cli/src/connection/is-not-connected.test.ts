import { expect, it } from "vitest";
import { faultReason, isNotConnected } from "./fault-reason.ts";

const fault = (message: string, members: object = {}): Error => Object.assign(new Error(message), members);
const refused = fault("connect ECONNREFUSED ::1:80", { code: "ECONNREFUSED", syscall: "connect" });
const noRoute = fault("connect EHOSTUNREACH 127.0.0.1:80", { code: "EHOSTUNREACH", syscall: "connect" });
const late = fault("connect ETIMEDOUT 127.0.0.1:80", { code: "ETIMEDOUT", syscall: "connect" });
const reset = fault("read ECONNRESET", { code: "ECONNRESET", syscall: "read" });
const silent = fault("read ETIMEDOUT", { code: "ETIMEDOUT", syscall: "read" });
const proxy = fault("Proxy response (502) !== 200 when HTTP Tunneling", { code: "UND_ERR_ABORTED" });

// proves CLI-41
it.each<[string, unknown, boolean]>([
  ["no route to the host", noRoute, true],
  ["no connection in the time of the system", late, true],
  ["no connection in the time of Node", fault("late", { code: "UND_ERR_CONNECT_TIMEOUT" }), true],
  ["a name server that fails", fault("", { code: "EAI_AGAIN", syscall: "getaddrinfo" }), true],
  ["every address of a name", fault("", { code: "ECONNREFUSED", errors: [refused, late] }), true],
  ["one of two addresses", fault("", { code: "ECONNREFUSED", errors: [refused, reset] }), false],
  ["an old certificate", fault("certificate has expired", { code: "CERT_HAS_EXPIRED" }), true],
  ["a certificate of another name", fault("", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }), true],
  ["a proxy that refuses the tunnel", fault("cancelled", { name: "AbortError", cause: proxy }), true],
  ["a reset", reset, false],
  ["silence", silent, false],
  ["the time of one attempt", fault("aborted", { name: "TimeoutError" }), false],
  ["a header that is cut", fault("does not match (Invalid header token)"), false],
  ["something unknown", fault("other"), false],
  ["no error at all", "ECONNREFUSED", false],
])("knows whether a request was sent: %s", (_name, cause, isSent) => {
  expect(isNotConnected(cause)).toBe(isSent);
  expect(isNotConnected(fault("fetch failed", { cause }))).toBe(isSent);
});

// proves CLI-41
it.each<[unknown, string]>([
  [proxy, "the proxy of this machine answered 502 in place of a connection"],
  [fault("aborted", { name: "TimeoutError" }), "no answer came in time"],
  [noRoute, "connect EHOSTUNREACH 127.0.0.1:80"],
  [fault("two\nlines"), "two"],
  [fault("", { code: "ECODE" }), "ECODE"],
])("says it in one line", (cause, words) => {
  expect(faultReason(fault("fetch failed", { cause }))).toBe(words);
});
