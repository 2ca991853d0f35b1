import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { type HostBounds, hostWithin } from "./host-within.ts";
import { parseCidr } from "./ip-address.ts";
import { urlsWithin } from "./urls-within.ts";

interface Reading {
  readonly url: string;
  readonly says: string;
  /** The host as four readers read it; `!` is a refusal. */
  readonly read: readonly string[];
}

const READINGS = dataFile<readonly Reading[]>("hostile-urls.yaml");
const BOUNDS: HostBounds = {
  hosts: ["example.com"],
  suffixes: [".example.com"],
  networks: [],
  schemes: null,
  ports: null,
  isSchemeOptional: false,
};

const isInside = (host: string): boolean => /^(?:.*\.)?example\.com$/i.test(host);

/** What the reader that runs these tests makes of a URL; null is a refusal. */
function hostRead(text: string): string | null {
  return URL.canParse(text) ? new URL(text).hostname : null;
}

function networks(...texts: readonly string[]): HostBounds {
  const parsed = texts.map((text) => parseCidr(text));
  return { ...BOUNDS, networks: parsed.filter((network) => network !== null) };
}

describe("hostWithin", () => {
  // proves POL-72
  it.each(READINGS.map((reading) => [reading.url, reading] as const))("%j", (url, { says, read }) => {
    expect(hostWithin(url, BOUNDS)).toBe(says);
    if (says === "holds") expect(read.every(isInside)).toBe(true);
    if (says === "fails") expect(read.some(isInside)).toBe(false);
    if (new Set(read.map((host) => host.toLowerCase())).size > 1) expect(says).toBe("unsure");
  });

  it("has a table of 120 texts or more", () => {
    expect(READINGS.length).toBeGreaterThanOrEqual(120);
  });

  const piece = fc.constantFrom(
    ..."https:// http:// // / \\ @ : ? # % . .. example.com evil.com a %2e %00 %40 [ ] ::1 127.1 0x7f".split(
      " ",
    ),
    ..."443 80 xn-- ; , | é 。 \u200d - _ * { } & = user ftp:// file:".split(" "),
    " ",
    "\t",
    "\n",
    "\0",
  );
  const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
  const anyUrl = fc.oneof(
    text,
    text.map((rest) => `https://${rest}`),
    text.map((rest) => `https://example.com${rest}`),
    text.map((rest) => `https://${rest}example.com/`),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  );

  // proves POL-72
  it("no spelling of a foreign host is surely within, and none of the own host surely outside", () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        const host = hostRead(url);
        const truth = hostWithin(url, BOUNDS);
        if (truth === "holds") expect(host !== null && isInside(host)).toBe(true);
        if (truth === "fails") expect(host !== null && isInside(host)).toBe(false);
      }),
      { numRuns: runs(20_000, 200_000) },
    );
  });

  // proves POL-72
  it("a URL inside other text is never surely within, and wrapping never makes it surely outside", () => {
    const before = fc.constantFrom("", "see ", "(", "\n", "x,", '"', "[a](", "\t", "<");
    const after = fc.constantFrom("", " now", ")", "\n", ",", '"', "\t", ">");
    fc.assert(
      fc.property(anyUrl, before, after, (url, left, right) => {
        if (hostWithin(url, BOUNDS) !== "holds") return;
        const truth = urlsWithin(`${left}${url}${right}`, BOUNDS);
        expect(truth === "fails" || truth === null).toBe(false);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  const optional: HostBounds = { ...BOUNDS, isSchemeOptional: true };

  it.each([
    ["example.com", "holds"],
    ["www.example.com/x?y#z", "holds"],
    ["EXAMPLE.com/", "holds"],
    ["https://example.com/", "holds"],
    ["evil.com/example.com", "fails"],
    ["example.com.evil.com", "fails"],
    ["example.com:443/x", "unsure"],
    ["example.com@evil.com", "unsure"],
    ["example.com\\@evil.com", "unsure"],
    ["javascript:alert(1)", "unsure"],
    ["//example.com", "unsure"],
    ["/example.com", "unsure"],
    ["localhost/x", "unsure"],
    ["example.com%2f@evil.com", "unsure"],
    ["example.com./x", "unsure"],
    [" example.com", "unsure"],
    ["127.0.0.1/x", "unsure"],
  ])("a host without a scheme, where it is optional: %j %s", (url, truth) => {
    expect(hostWithin(url, optional)).toBe(truth);
    if (!url.includes("://")) expect(hostWithin(url, BOUNDS)).toBe("unsure");
  });

  // proves POL-72
  it("no text without a scheme is surely within, or outside, unless readers that add one agree", () => {
    fc.assert(
      fc.property(text, (rest) => {
        const truth = hostWithin(`example.com${rest}`, optional);
        if (truth === "unsure") return;
        for (const scheme of ["https", "http"]) {
          const host = hostRead(`${scheme}://example.com${rest}`);
          expect(host !== null && isInside(host)).toBe(truth === "holds");
        }
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it.each([
    ["https://10.1.2.3/", ["10.0.0.0/8"], "holds"],
    ["https://11.1.2.3/", ["10.0.0.0/8"], "fails"],
    ["https://010.1.2.3/", ["10.0.0.0/8"], "unsure"],
    ["http://0.0.0.0:80/", ["127.0.0.0/8"], "unsure"],
    ["http://0.1.2.3/", ["127.0.0.0/8"], "unsure"],
    ["http://0.0.0.0/", ["0.0.0.0/8"], "holds"],
    ["https://10.1.2/", ["10.0.0.0/8"], "unsure"],
    ["https://167838211/", ["10.0.0.0/8"], "unsure"],
    ["https://0xa.1.2.3/", ["10.0.0.0/8"], "unsure"],
    ["https://10.1.2.3./", ["10.0.0.0/8"], "unsure"],
    ["https://[2001:db8::1]/", ["2001:db8::/32"], "holds"],
    ["https://[2001:db9::1]/", ["2001:db8::/32"], "fails"],
    ["https://[2001:db8::1]:443/", ["2001:db8::/32"], "holds"],
    ["https://[2001:db8::1]/", ["10.0.0.0/8"], "unsure"],
    ["https://10.1.2.3/", ["2001:db8::/32"], "unsure"],
    ["https://[::ffff:10.1.2.3]/", ["10.0.0.0/8", "::/0"], "unsure"],
    ["https://[::ffff:a01:203]/", ["10.0.0.0/8", "::/0"], "unsure"],
    ["https://[64:ff9b::a01:203]/", ["10.0.0.0/8", "::/0"], "unsure"],
    ["https://[1::2::3]/", ["::/0"], "unsure"],
    ["https://example.com/", ["10.0.0.0/8"], "holds"],
    ["https://evil.com/", ["127.0.0.0/8"], "fails"],
    ["https://localhost/", ["127.0.0.0/8"], "unsure"],
    ["https://LOCALHOST./", ["127.0.0.0/8"], "unsure"],
    ["https://a.localhost/", ["::1/128"], "unsure"],
  ] as const)("%s within %j: %s", (url, cidrs, truth) => {
    expect(hostWithin(url, networks(...cidrs))).toBe(truth);
  });

  it.each(["10.0.0.1/8", "10.0.0.0/33", "10.0.0/8", "::1", "2001:db8::1/32", "x/8", "10.0.0.0/08"])(
    "%s is not a network",
    (written) => {
      expect(parseCidr(written)).toBe(null);
    },
  );

  it.each([
    ["https://example.com/", "holds"],
    ["http://example.com/", "fails"],
    ["ftp://example.com/", "unsure"],
    ["https://example.com:8443/", "holds"],
    ["https://example.com:9000/", "fails"],
    ["https://example.com:443/", "holds"],
    ["https://evil.com/", "fails"],
  ] as const)("%s with schemes and ports: %s", (url, truth) => {
    expect(hostWithin(url, { ...BOUNDS, schemes: ["https"], ports: [443, 8443] })).toBe(truth);
  });
});

describe("urlsWithin", () => {
  // proves POL-72
  it.each([
    ["https://example.com/a", "holds"],
    ["see https://evil.com/ now", "fails"],
    ["see https://example.com now", "unsure"],
    ["see https://evil.com and https://example.com", "unsure"],
    ["https://evil.com https://example.com", "unsure"],
    ["a line\nhttps://evil.com.\nhttps://other.org", "fails"],
    ["ht\ntps://example.com", "unsure"],
    ["\u0001https://example.com", "unsure"],
    ["//example.com/x", "unsure"],
    ["\\\\example.com\\share", "unsure"],
    ["http:example.com", "unsure"],
    ["see https://[::1]/ now", "unsure"],
    ["see https://user@evil.com/", "unsure"],
    ["https://evil.com/?u=https://example.com", "unsure"],
    ["https://evil.com/?u=https%3A%2F%2fexample.com", "unsure"],
    ["https://evil.com/https://other.org", "fails"],
    ["https://example.com/?u=https://evil.com", "holds"],
    ["C:\\Users\\a", null],
    ["volume:/data", null],
    ["12:30", null],
    ["nothing here", null],
    ["", null],
    ["example.com", null],
  ] as const)("%j says %s", (text, truth) => {
    expect(urlsWithin(text, BOUNDS)).toBe(truth);
  });
});
