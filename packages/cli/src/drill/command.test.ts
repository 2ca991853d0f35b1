import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { startFakeDeployment } from "@svc/drill/testing/fake-deployment";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-cli-drill-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const drill = (args: readonly string[], stdin = "") =>
  runCaptured(["drill", ...args], { workingDirectory: folder, stdin });

async function deployment() {
  const fake = await startFakeDeployment(["gw-1"]);
  onTestFinished(() => fake.close());
  const [url] = fake.urls;
  if (url === undefined) throw new Error("one gateway");
  return { fake, url };
}

// proves DRILL-08
it.each(["partition", "crash", "slow-database"])("drill %s refuses a deployment", async (name) => {
  const { exitCode, out, error } = await drill([name, "--url", "http://127.0.0.1:9", "--yes"]);
  expect([exitCode, out]).toEqual([2, ""]);
  expect(error).toContain(`drill ${name} cannot be run against a deployment, because it`);
  expect(error).toContain("run it without --url against a cluster that it starts");
});

describe("drill kill of a deployment", () => {
  // proves DRILL-07
  it.each([
    ["", 2],
    ["\n", 1],
    ["yes\n", 1],
    ["127.0.0.1\n", 1],
  ])("does nothing when its name is not typed: %j", async (typed, code) => {
    const { fake, url } = await deployment();
    const { exitCode, error } = await drill(["kill", "--url", url.href], typed);
    expect(exitCode).toBe(code);
    expect(error).toContain(`Type ${url.host} to go on`);
    expect(error).toContain("scripts pass --yes");
    expect(fake.agents.size).toBe(0);
  });

  // proves DRILL-06, DRILL-07
  it("measures when its name is typed, and writes a report that verifies", async () => {
    const { url } = await deployment();
    const target = ["--target-ms", "60000", "--report", "typed.note"];
    const { exitCode, out } = await drill(["kill", "--url", url.href, ...target], `${url.host}\n`);
    expect(exitCode).toBe(0);
    expect(out).toContain("drill kill: passed");
    const key = /public key: (\S+) \(new/.exec(out)?.[1] ?? "";
    const verified = await drill(["verify", "typed.note", "--public-key", key]);
    expect([verified.exitCode, verified.error]).toEqual([0, ""]);
    expect(verified.out).toContain("typed.note: the signature is right");
    const path = join(folder, "typed.note");
    writeFileSync(path, readFileSync(path, "utf8").replace('"verdict": "passed"', '"verdict": "failed"'));
    const stranger = renderVerifierKey(parseSigner("svc-other", generateSigningKey()).verifier);
    const unjudged = await drill(["verify", "typed.note", "--public-key", stranger]);
    expect(unjudged.exitCode).toBe(5);
    expect(unjudged.error).toContain("typed.note cannot be judged: none of the given keys signed it: given ");
    const changed = await drill(["verify", "typed.note", "--public-key", key]);
    expect([changed.exitCode, changed.out]).toEqual([1, ""]);
    expect(changed.error).toContain("the report was changed after it was signed");
  });

  it("answers the report as JSON", async () => {
    const { url } = await deployment();
    const args = ["--url", url.href, "--yes", "--target-ms", "60000", "--report", "json.note", "-o", "json"];
    const { out } = await drill(["kill", ...args]);
    expect(JSON.parse(out)).toMatchObject({
      report: { schema: "svc.cli.drill/v1", drill: "kill", verdict: "passed" },
      report_file: "json.note",
      note: readFileSync(join(folder, "json.note"), "utf8"),
    });
  });
});

it.each<[string, readonly string[], number, string]>([
  ["nobody at the address", ["kill", "--url", "http://127.0.0.1:9", "--yes"], 3, "failed: "],
  ["a key that is not a key", ["kill", "--sign-key", "."], 2, "--sign-key: expected an Ed25519 private key"],
  [
    "a server that is not there",
    ["kill", "--server", "none.js"],
    2,
    "--server: expected the file of svc-server",
  ],
  [
    "a report without a folder",
    ["kill", "--report", "none/a.note"],
    2,
    "--report: expected a folder to write to",
  ],
  [
    "an address without --url",
    ["kill", "--gateway-url", "http://127.0.0.1:9"],
    2,
    "--gateway-url needs --url",
  ],
  ["too many gateways", ["kill", "--gateways", "10"], 2, "expected a whole number from 2 to 9"],
  ["a report that is not there", ["verify", "none", "--public-key", "svc+00000000+AA=="], 2, "--public-key"],
])("refuses %s", async (_, args, exitCode, message) => {
  const result = await drill(args);
  expect([result.exitCode, result.out]).toEqual([exitCode, ""]);
  expect(result.error).toContain(message);
});
