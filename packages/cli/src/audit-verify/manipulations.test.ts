import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCheckpoint } from "@svc/audit-log/checkpoint";
import { renderCheckpointLine } from "@svc/audit-log/checkpoint-line";
import {
  PLAIN_MANIPULATIONS,
  REHASHED_MANIPULATIONS,
  ROLLBACKS,
  rehashed,
  withEnd,
} from "@svc/audit-log/testing/manipulations";
import { afterAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const golden = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../audit-log/testdata/${name}`, import.meta.url)), "utf8");
const lines = golden("golden-export.ndjson")
  .split(/(?<=\n)/)
  .filter((line) => line !== "");
const KEY = golden("golden-public-key.txt").trim();

const folder = mkdtempSync(join(tmpdir(), "svc-manipulated-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The checkpoints as somebody else keeps them. */
const kept = join(folder, "kept.ndjson");
writeFileSync(
  kept,
  lines
    .filter((line) => line.includes('"checkpoint":'))
    .map((line) => (JSON.parse(line) as { checkpoint: string }).checkpoint)
    .map((note) => ({ logId: "gw-golden", size: parseCheckpoint(note)?.size ?? 0, note }))
    .map(renderCheckpointLine)
    .join(""),
);

async function exitCodeOf(exported: Buffer, extra: readonly string[] = []): Promise<number> {
  const args = ["compliance", "audit-verify", "--file", "-", "--public-key", KEY, "--quiet", ...extra];
  return (await runCaptured(args, { workingDirectory: folder, stdin: exported })).exitCode;
}

const bytesOf = (text: readonly string[]): Buffer => Buffer.from(text.join(""));
const withKept = (text: readonly string[]): Promise<number> =>
  exitCodeOf(bytesOf(text), ["--checkpoints", kept]);
const alone = (text: readonly string[]): Promise<number> => exitCodeOf(bytesOf(text));

// proves AUD-31
describe("manipulations of an export", () => {
  it("the export is intact before, and when it is hashed and counted anew without a change", async () => {
    for (const text of [lines, withEnd(lines), rehashed(lines)]) {
      expect([await alone(text), await withKept(text)]).toEqual([0, 0]);
    }
  });

  it.each(PLAIN_MANIPULATIONS)("L1: $name: noticed, with or without other checkpoints", async ({ apply }) => {
    const manipulated = apply(lines);
    expect([1, 5]).toContain(await alone(manipulated));
    expect([1, 5]).toContain(await withKept(manipulated));
  });

  it.each(REHASHED_MANIPULATIONS)("L1: $name, hashed anew: broken, or not signed", async ({ apply }) => {
    const manipulated = apply(lines);
    expect([1, 5]).toContain(await alone(manipulated));
    expect(await withKept(manipulated)).toBe(1);
  });

  it.each(ROLLBACKS)("L2: $name: found by checkpoints kept elsewhere", async ({ apply }) => {
    expect(await withKept(apply(lines))).toBe(1);
  });

  it("L1: 40 flipped bits", async () => {
    const whole = bytesOf(lines);
    const step = Math.floor(whole.length / 40);
    for (let flip = 0; flip < 40; flip += 1) {
      const at = flip * step + 7 * flip;
      const manipulated = Buffer.from(whole);
      manipulated[at] = (whole[at] ?? 0) ^ (1 << (flip % 8));
      expect({ at, intact: (await exitCodeOf(manipulated)) === 0 }).toEqual({ at, intact: false });
    }
  });

  it("L2: a tail that is cut, forged or not signed is never intact", async () => {
    const last = lines.findLastIndex((line) => line.includes('"checkpoint":'));
    const signedTo24 = lines.toSpliced(last, 1);
    for (let seq = 24; seq < 36; seq += 1) {
      const at = signedTo24.findIndex((line) => line.includes(`"seq":${String(seq)},`));
      const forged = signedTo24.with(at, (signedTo24[at] ?? "").replace("2026-11-02", "2026-11-03"));
      const text = rehashed(forged);
      expect([await alone(text), await withKept(text)]).toEqual([5, 1]);
    }
  });
});
