import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const golden = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../audit-log/testdata/${name}`, import.meta.url)), "utf8");
const EXCERPT = golden("golden-excerpt.ndjson");
const lines = EXCERPT.split(/(?<=\n)/);

const verify = (text: string, options: readonly string[] = [], chunkBytes = 7) => {
  const key = golden("golden-public-key.txt").trim();
  const args = ["compliance", "audit-verify", "--file", "-", "--public-key", key, ...options];
  return runCaptured(args, { stdin: text, chunkBytes });
};

// proves AUD-33
it.each([1, 1_000_000])(
  "verifies an excerpt, and says what is left out: chunks of %d bytes",
  async (length) => {
    const { exitCode, out } = await verify(EXCERPT, [], length);
    expect(out).toMatch(
      /^gw-golden: intact, 24 rows, 12 rows of other organizations left out, head \w{64}\n {2}note: /,
    );
    expect(exitCode).toBe(0);
  },
);

it("says the same in JSON", async () => {
  const { out } = await verify(EXCERPT, ["--output", "json"]);
  expect(JSON.parse(out)).toMatchObject({ verdict: "intact", logs: [{ rows: 24, left_out_rows: 12 }] });
});

// proves AUD-33
it.each([
  [
    "a changed row",
    EXCERPT.replace("refunds need a person", "refunds need a persom"),
    1,
    "was signed for other rows",
  ],
  [
    "another organization",
    EXCERPT.replace('"org":"acme"', '"org":"zcme"'),
    1,
    "belongs to another organization",
  ],
  ["no statement", [...lines.slice(0, -2), '{"end":{"rows":24,"excerpts":0}}\n'].join(""), 1, "is missing"],
  ["a line less", lines.toSpliced(3, 1).join(""), 1, "the end line counts 24 rows, found 23"],
  ["no end", lines.slice(0, -1).join(""), 3, "was cut"],
])("finds %s", async (_, text, code, message) => {
  const { exitCode, out, error } = await verify(text);
  expect(out + error).toContain(message);
  expect(exitCode).toBe(code);
});

// proves AUD-85
it("cannot judge an excerpt that none of the given keys signed", async () => {
  const stranger = renderVerifierKey(parseSigner("svc-other", generateSigningKey()).verifier);
  const args = ["compliance", "audit-verify", "--file", "-", "--public-key", stranger];
  const { exitCode, out } = await runCaptured(args, { stdin: EXCERPT });
  expect(exitCode).toBe(5);
  expect(out).toMatch(
    /^gw-golden: cannot be judged, 24 rows, .*\n {2}none of the given keys signed this log: /,
  );
});
