import { describe, expect, it } from "vitest";
import { withAddresses } from "./with-addresses.ts";

describe("withAddresses", () => {
  it("replaces addresses and nothing else", () => {
    expect(withAddresses("a.conf", "listen 1; server 2;", [[/(?<=listen )1\b/, "80"]])).toBe(
      "listen 80; server 2;",
    );
  });

  it("refuses a file that has lost an address", () => {
    expect(() => withAddresses("a.conf", "listen 1;", [[/server 2/, "server 3"]])).toThrow(
      "a.conf: expected server 2, found none",
    );
  });
});
