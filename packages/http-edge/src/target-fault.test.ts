import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { targetFault } from "./target-fault.ts";

const PLAIN = [
  "/",
  "/a",
  "/a/",
  "/a/b",
  "/a.b",
  "/.well-known/x",
  "/a/..b",
  "/a/b..",
  "/...",
  "/a/.b/c",
  "/~u/a_b-c",
  "/a?",
  "/a?b=c",
  "/a?b=../c",
  "/a?b=//c",
  "/a?b=%2f%2e%00",
  "/a?b?c",
  "/a%20b",
  "/a%41",
  "/a%c3%a9",
  "/a:b@c",
];

const REFUSED: readonly [string, string][] = [
  ["", "no slash"],
  ["*", "no slash"],
  ["a", "no slash"],
  ["?a", "no slash"],
  ["http://evil/", "no slash"],
  ["evil:443", "no slash"],
  ["//", "segment"],
  ["//evil/a", "segment"],
  ["/a//b", "segment"],
  ["/a//", "segment"],
  ["/.", "segment"],
  ["/..", "segment"],
  ["/./a", "segment"],
  ["/../a", "segment"],
  ["/a/..", "segment"],
  ["/a/../b", "segment"],
  ["/a/.?b", "segment"],
  ["/a/..?b", "segment"],
  ["/a#b", "fragment"],
  ["/a?b#c", "fragment"],
  ["/a\\b", "backslash"],
  ["/\\evil", "backslash"],
  ["/a?b\\c", "backslash"],
  ["/a%2fb", "encoded"],
  ["/a%2Fb", "encoded"],
  ["/a%5cb", "encoded"],
  ["/a%5Cb", "encoded"],
  ["/%2e%2e/a", "encoded"],
  ["/a/%2E", "encoded"],
  ["/a%252fb", "encoded"],
  ["/a%00", "encoded"],
  ["/a%0d%0ab", "encoded"],
  ["/a%1f", "encoded"],
  ["/a%7f", "encoded"],
  ["/a%", "percent"],
  ["/a%4", "percent"],
  ["/a%zz", "percent"],
  ["/a%+1", "percent"],
  ["/a?b=%", "percent"],
  ["/a?b=%g0", "percent"],
  ["/a b", "printable"],
  ["/a\tb", "printable"],
  ["/a\u0000", "printable"],
  ["/a\u007f", "printable"],
  ["/\u00e9", "printable"],
  ["/a?\u00e9", "printable"],
];

/** Characters that steer random targets towards the edges of the rules. */
const PIECES = Array.from("/.?#\\%aA0 25eEfF;:@&=");

describe("request targets", () => {
  it.each(PLAIN)("%j is plain", (target) => {
    expect(targetFault(target)).toBeNull();
  });

  it.each(REFUSED)("E21: %j is refused", (target, why) => {
    expect(targetFault(target)).toContain(why);
  });

  it.each([
    "/a%2Fb",
    "/a%2fb/c",
    "/a/b%2Fc%2fd",
    "/a%2F.b",
    "/a%2F..b",
    "/a%2Fb%2F",
    "/a?b=%2f%2F",
    "/a%5Cb",
    "/a%5cb%2Fc",
    "/100%25",
    "/a%25b/%25",
  ])("%j is plain where a slash, a backslash or a percent sign may stand encoded in a segment", (target) => {
    expect(targetFault(target, "in_segment")).toBeNull();
  });

  // proves API-25
  it.each([
    ["/a%2F%2Fb", "segment"],
    ["/a/%2Fb", "segment"],
    ["/%2Fb", "segment"],
    ["/a%2F/b", "segment"],
    ["/a%2F..%2Fb", "segment"],
    ["/a%2F..", "segment"],
    ["/a%2F.", "segment"],
    ["/a/..%2Fb", "segment"],
    ["/a/.%2Fb", "segment"],
    ["/..%2F..%2Fetc", "segment"],
    ["/a%2F..?b", "segment"],
    ["/a%252Fb", "encoded"],
    ["/a%2F%00", "encoded"],
    ["/a%2F%2e%2e", "encoded"],
    ["/a%5C%5Cb", "segment"],
    ["/%5Cb", "segment"],
    ["/a%5C..", "segment"],
    ["/a%255Cb", "encoded"],
    ["/a%2F%2500", "encoded"],
    ["/a%25%32%65", "encoded"],
    ["/a%25%2e", "encoded"],
    ["/a%%2F", "percent"],
    ["/a%2%2F", "percent"],
    ["%2Fa", "no slash"],
  ])("E21: %j is refused there, too", (target, why) => {
    expect(targetFault(target, "in_segment")).toContain(why);
  });

  it("E21: what passes is the same path to a URL parser, decoded or not", () => {
    const piece = fc.constantFrom(...PIECES, "%2e", "%2F", "%5c", "..", "//");
    let passed = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const target = `/${pieces.join("")}`;
        if (targetFault(target) !== null) return;
        passed += 1;
        const [path = ""] = target.split("?", 1);
        expect(new URL(target, "http://host").pathname).toBe(path);
        expect(new URL(target, "http://host").host).toBe("host");
        const decoded = path.replace(/%(..)/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        expect(decoded.split(/[/\\]/)).toHaveLength(path.split("/").length);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
    expect(passed).toBeGreaterThan(500);
  });
});
