import { describe, expect, it } from "vitest";
import { requestIdentity } from "./request-identity.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

function identityOf(...rawHeaders: string[]) {
  return requestIdentity({ rawHeaders });
}

describe("X-Request-Id", () => {
  // proves API-26
  it.each(["a", "req_0123", "6f1e6a1e-6a0b-4c0c-9a43-1d4b2f0b7f0e", "A.b-c_9", "x".repeat(128)])(
    "of the caller is taken over: %s",
    (id) => {
      expect(identityOf("X-Request-ID", id)).toMatchObject({
        requestId: id,
        headers: { "x-request-id": id },
        fields: { request_id: id },
      });
    },
  );

  it.each(["", " ", "a b", "a,b", "-a", "a\u00e9", 'a"', "a\tb", "x".repeat(129), "a/b", "${x}"])(
    "that is malformed is replaced: %j",
    (id) => {
      expect(identityOf("x-request-id", id).requestId).toMatch(/^req_[0-9a-f]{32}$/);
    },
  );

  it("that is repeated or absent is replaced, each time by another", () => {
    const repeated = identityOf("x-request-id", "a", "X-Request-Id", "a").requestId;
    expect(repeated).toMatch(/^req_/);
    expect(new Set([repeated, identityOf().requestId, identityOf().requestId]).size).toBe(3);
  });
});

describe("traceparent", () => {
  // proves API-26
  it.each([`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-00`, `cc-${TRACE}-${PARENT}-01-more`])(
    "names the trace in log lines and comes back: %s",
    (text) => {
      const { trace, headers, fields } = identityOf("traceparent", text);
      expect([trace?.traceId ?? null, headers["traceparent"], fields["trace_id"]]).toEqual([
        TRACE,
        text,
        TRACE,
      ]);
    },
  );

  it.each([
    "",
    "00",
    TRACE,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-01 `,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}0-${PARENT}-01`,
    `00_${TRACE}_${PARENT}_01`,
    `cc-${TRACE}-${PARENT}-01-a\r\nb`,
    `cc-${TRACE}-${PARENT}-01-${"a".repeat(257)}`,
  ])("that is malformed is ignored: %j", (text) => {
    const { trace, headers, fields } = identityOf("traceparent", text);
    expect([trace?.traceId ?? null, headers["traceparent"], fields["trace_id"]]).toEqual([
      null,
      undefined,
      undefined,
    ]);
  });

  it("that is repeated is ignored", () => {
    const text = `00-${TRACE}-${PARENT}-01`;
    expect(identityOf("traceparent", text, "Traceparent", text).trace).toBeNull();
  });
});
