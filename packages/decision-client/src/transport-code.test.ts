import { describe, expect, it } from "vitest";
import { faultText, transportCode } from "./transport-code.ts";

const lost = new TypeError("fetch failed", {
  cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
});

describe("a fault on the way to the gateway", () => {
  it("is told by its code, never by its text", () => {
    expect(transportCode(lost)).toBe("ECONNREFUSED");
    expect(transportCode(new Error("key svc_secret"))).toBe("unknown transport error");
  });

  it("is one line in the log, without a stack trace", () => {
    expect(faultText(lost)).toBe("ECONNREFUSED");
    expect(faultText(new Error("status 401, or no JSON object\nat somewhere"))).toBe(
      "status 401, or no JSON object",
    );
    expect(faultText("text")).toBe("unknown transport error");
  });
});
