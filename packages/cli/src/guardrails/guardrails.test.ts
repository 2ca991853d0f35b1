import { DETECTOR_NAMES } from "@svc/engine/detector";
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const AWS_KEY = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----\n${"MIIE".repeat(16)}\n-----END PRIVATE KEY-----`;

const test = (stdin: string, ...args: readonly string[]) =>
  runCaptured(["guardrails", "test", "-", ...args], { stdin });

// proves CLI-59
it("lists every detector", async () => {
  const { exitCode, out } = await runCaptured(["guardrails", "detectors", "-o", "ndjson"]);
  expect(exitCode).toBe(0);
  const names = out
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { readonly name: string }).name);
  expect(names).toEqual(DETECTOR_NAMES);
});

// proves CLI-59
it("says where something was found, and shows none of it", async () => {
  const { exitCode, out } = await test(`write to ana@example.com\nwith ${AWS_KEY} or ${AWS_KEY}\n`);
  expect(exitCode).toBe(1);
  expect(out.split("\n")).toEqual([
    "-:1:10\tpii.email\t15 characters, to 1:25\twrite to [pii.email]",
    "-:2:6\tsecret.aws_key\t20 characters, to 2:26\twith [secret.aws_key] or [secret.aws_key]",
    "-:2:30\tsecret.aws_key\t20 characters, to 2:50\twith [secret.aws_key] or [secret.aws_key]",
    "",
  ]);
});

// proves CLI-59
it.each(["pretty", "json", "ndjson", "yaml"])(
  "never writes a secret as %s, asked about or not",
  async (form) => {
    for (const detectors of [[], ["--detectors", "pii.email"]]) {
      const text = `a@b.com ${AWS_KEY} ${PRIVATE_KEY}`;
      const { exitCode, out, error } = await test(text, "-o", form, ...detectors);
      expect(exitCode).toBe(1);
      expect(out + error).not.toContain(AWS_KEY);
      expect(out + error).not.toContain("MIIE");
    }
  },
);

// proves CLI-59
it("ends with 0 when nothing was found, and with 2 for what it does not know", async () => {
  expect(await test("good morning")).toEqual({ exitCode: 0, out: "nothing was found\n", error: "" });
  const unknown = await test("x", "--detectors", "pii.emial");
  expect(unknown).toMatchObject({ exitCode: 2, out: "" });
  expect(unknown.error).toContain('no detector "pii.emial": did you mean pii.email?');
  const missing = await runCaptured(["guardrails", "test", "/nothing/here"]);
  expect(missing).toMatchObject({ exitCode: 2, out: "" });
});
