import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detect } from "./detectors/detect.ts";
import { SECRET_DETECTORS } from "./detectors/detector.ts";
import { HOSTILE_PIECES } from "./detectors/hostile-pieces.suite.ts";
import { maskSecrets } from "./mask-secrets.ts";

const mask = (args: JsonObject): JsonObject => maskSecrets(args, canonicalJson(args));
const AWS = "AKIAIOSFODNN7EXAMPLE";
const KEY = "a1b2c3d4e5f6a7b8c9";
const TELLING = `${"x".repeat(500)} token`;
const MASKED = "[masked:secret.generic_api_key]";

describe("maskSecrets", () => {
  // proves AUD-52
  it.each<[string, JsonObject, JsonObject]>([
    ["values", { a: `id ${AWS}.` }, { a: "id [masked:secret.aws_key]." }],
    ["lists", { a: [1, [AWS]] }, { a: [1, ["[masked:secret.aws_key]"]] }],
    ["names of members", { [AWS]: 1 }, { "[masked:secret.aws_key]": 1 }],
    ["values under a telling name", { api_key: KEY }, { api_key: "[masked:secret.generic_api_key]" }],
    [
      "headers",
      { headers: { Authorization: `Bearer ${KEY}` } },
      { headers: { Authorization: "[masked:secret.generic_api_key]" } },
    ],
    [
      "keys with line ends",
      { a: "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----" },
      { a: "[masked:secret.private_key]" },
    ],
    ["lists under a telling name", { "x-api-key": ["a b", KEY] }, { "x-api-key": ["a b", MASKED] }],
    ["members under a telling name", { token: { value: KEY, n: 1 } }, { token: { value: MASKED, n: 1 } }],
    ["values under a long telling name", { [TELLING]: KEY }, { [TELLING]: MASKED }],
    ["names under a telling name", { tokens: [{ [KEY]: true }] }, { tokens: [{ [MASKED]: true }] }],
    [
      "headers as a list of objects",
      { headers: [{ name: "X-Api-Key", value: KEY }] },
      { headers: [{ name: "X-Api-Key", value: MASKED }] },
    ],
    ["headers as pairs", { headers: [["x-api-key", KEY]] }, { headers: [["x-api-key", MASKED]] }],
    ["values of options", { argv: ["--token", KEY, KEY] }, { argv: ["--token", MASKED, KEY] }],
    [
      "keys whose label has a tab",
      { a: "-----BEGIN\tRSA\tPRIVATE\tKEY-----\nx" },
      { a: "[masked:secret.private_key]" },
    ],
    [
      "passwords whose key has a tab behind it",
      { a: "Server=db;Uid=sa;Pwd\t=hunter2" },
      { a: "Server=db;Uid=sa;Pwd\t=[masked:secret.connection_string]" },
    ],
    [
      "JSON in JSON in a text",
      { a: JSON.stringify({ b: JSON.stringify({ token: KEY }) }) },
      { a: `{"b":"{\\"token\\":\\"${MASKED}\\"}"}` },
    ],
    [
      "names that become one",
      { [AWS]: 1, [`${AWS.slice(0, -1)}F`]: 2 },
      { "[masked:secret.aws_key]": 1, "[masked:secret.aws_key]#2": 2 },
    ],
  ])("masks %s", (_, args, wanted) => {
    expect(mask(args)).toEqual(wanted);
  });

  it("returns the same object where there is nothing to mask", () => {
    for (const args of [
      {},
      { a: 1, b: ["x", { c: null }] },
      { mail: "a@b.example" },
      { max_tokens: 4096, token: "short" },
    ]) {
      expect(mask(args)).toBe(args);
    }
  });

  it("leaves no secret behind and changes nothing else", () => {
    const secrets = fc.constantFrom(AWS, `token=${KEY}`, "plain", "ghp_0123456789abcdefghijABCDEFGHIJ012345");
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        secrets,
        fc.integer(),
        fc.constant(null),
        fc.array(tie("any")),
        fc.dictionary(fc.oneof(fc.string(), secrets), tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (args) => {
        const before = canonicalJson(args as JsonObject);
        const masked = mask(args as JsonObject);
        expect(canonicalJson(args as JsonObject)).toBe(before);
        expect(detect(canonicalJson(masked), SECRET_DETECTORS)).toEqual([]);
      }),
    );
  });

  it("masks what it masks without a quick look", () => {
    const piece = fc.constantFrom(
      ...HOSTILE_PIECES,
      AWS,
      KEY,
      "token",
      "Uid=sa;pwd",
      "=",
      "\t",
      "\n",
      '"',
      "\\",
      "\u0001",
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const { args } = fc.letrec<{ args: JsonObject; value: JsonValue }>((tie) => ({
      args: fc.dictionary(text, tie("value"), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
      value: fc.oneof(
        { depthSize: "small" },
        text,
        fc.integer(),
        fc.array(text, { maxLength: 3 }),
        tie("args"),
      ),
    }));
    fc.assert(
      fc.property(args, (given) => {
        // A text with a secret in it makes the quick look tell nothing.
        expect(mask(given)).toEqual(maskSecrets(given, AWS));
      }),
      { numRuns: runs(3_000, 30_000) },
    );
  });
});
