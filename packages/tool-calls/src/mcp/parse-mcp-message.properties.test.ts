import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { treatmentOf } from "./mcp-methods.ts";
import { parseMcpMessage } from "./parse-mcp-message.ts";

/** Bound of a message in bytes; none of these texts reaches it. */
const MAX_BYTES = 1024 * 1024;

const bytesOf = (text: string): Buffer => Buffer.from(text, "utf8");

/** Readers that some server has: which method and name each finds in a text. */
const READERS: readonly ((text: string) => unknown)[] = [
  (text) => JSON.parse(text),
  // Case folded, the last of the same key wins.
  (text) =>
    JSON.parse(text, (_key, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]))
        : value,
    ),
  // Keys end at a NUL.
  (text) =>
    JSON.parse(text, (_key, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.split("\0")[0] ?? "", inner]))
        : value,
    ),
];

const key = fc.oneof(
  fc.constantFrom(
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "Method",
    "METHOD",
    "method\0x",
    "x",
  ),
  fc.string({ maxLength: 3 }),
);
const value = fc.oneof(
  fc.constantFrom<unknown>("2.0", "tools/call", "ping", "Tools/Call", 1, 0, null, {}, []),
  fc.constant({ name: "a", Name: "b" }),
  fc.jsonValue({ maxDepth: 2 }),
);
/** Objects whose keys may repeat, which no generator of objects makes. */
const text = fc
  .array(fc.tuple(key, value), { maxLength: 6 })
  .map(
    (members) =>
      `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${JSON.stringify(inner)}`).join(",")}}`,
  );

describe("parseMcpMessage", () => {
  it("M3: every reader finds in an accepted request the method that was judged", () => {
    fc.assert(
      fc.property(text, (candidate) => {
        const parsed = parseMcpMessage(bytesOf(candidate), MAX_BYTES);
        if (!parsed.ok) return;
        const { message } = parsed;
        for (const readAs of READERS) {
          const found = readAs(candidate) as { method?: unknown };
          if (message.kind === "request" || message.kind === "notification")
            expect(found.method).toBe(message.method);
          else expect(found.method).toBeUndefined();
        }
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });

  it("M3: any bytes are read or refused, and never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof parseMcpMessage(bytes, MAX_BYTES).ok).toBe("boolean");
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });

  it("M6: no method passes but those of the table, byte for byte", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("tools/call", "ping", "resources/read"),
        fc.string({ maxLength: 3 }),
        (known, more) => {
          if (more === "") return;
          for (const method of [known + more, more + known, known.toUpperCase()])
            expect(treatmentOf(method)).toBeNull();
        },
      ),
    );
  });
});
