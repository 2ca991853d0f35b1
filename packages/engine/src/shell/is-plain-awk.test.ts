// long: it runs generated programs in every awk of the machine
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { isPlainAwk } from "./is-plain-awk.ts";
import { literalWord } from "./shell-word.ts";

const DEADLINE_MS = 5_000;

/** Every awk of this machine. */
const AWKS = ["awk", "gawk", "mawk", "original-awk", "busybox"].flatMap((name) => {
  const path = spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  return path === "" ? [] : [{ name, path, first: name === "busybox" ? ["awk"] : [] }];
});

const folder = mkdtempSync(join(tmpdir(), "svc-awk-"));
const programs = join(folder, "bin");
mkdirSync(programs);
writeFileSync(join(programs, "p"), `#!/bin/sh\n: >${join(folder, "ran")}\n`, { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns whether the program ran another one, or wrote a file. */
function reachesOut({ path, first }: (typeof AWKS)[number], args: readonly string[]): boolean {
  const work = mkdtempSync(join(folder, "work-"));
  writeFileSync(join(work, "f"), 'a "b" 3\n\n/x/ 4 5\n');
  const before = readdirSync(folder).length;
  spawnSync(path, [...first, ...args, "f"], {
    cwd: work,
    env: { PATH: programs, LC_ALL: "C.UTF-8" },
    input: "x\n",
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
  });
  const isOut = readdirSync(folder).length > before || readdirSync(work).length > 1;
  rmSync(join(folder, "ran"), { force: true });
  rmSync(work, { recursive: true });
  return isOut;
}

function isPlain(args: readonly string[]): boolean {
  return isPlainAwk(args.map(literalWord));
}

interface AwkPrograms {
  readonly plain: readonly (readonly string[])[];
  readonly reaching: readonly (readonly string[])[];
  readonly whole: readonly string[];
  readonly pieces: readonly string[];
}

const { plain, reaching, whole, pieces } = dataFile<AwkPrograms>("awk-programs.yaml");

describe("a call of awk", () => {
  // proves POL-91
  it.each(plain.map((args) => ({ args })))("is plain: $args", ({ args }) => expect(isPlain(args)).toBe(true));
  it.each(reaching.map((args) => ({ args })))("may reach out: $args", ({ args }) =>
    expect(isPlain(args)).toBe(false),
  );

  it("is not plain where an expansion decides a word", () => {
    const open = { ...literalWord("{print"), isOpen: true };
    expect(isPlainAwk([open])).toBe(false);
    expect(isPlainAwk([literalWord("-F"), open, literalWord("{print}")])).toBe(false);
  });
});

const texts = fc
  .tuple(
    fc.option(fc.constantFrom(...whole), { nil: "" }),
    fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...pieces)), { minLength: 1, maxLength: 9 }),
  )
  .map(([first, puts]) =>
    puts.reduce((text, [at, piece]) => text.slice(0, at) + piece + text.slice(at), first),
  );

describe.each(AWKS)("what $name does with a plain program", (awk) => {
  // proves POL-91
  it("stays within its input and output", () => {
    let ran = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (!isPlain([text])) return;
        ran += 1;
        expect([text, reachesOut(awk, [text])]).toEqual([text, false]);
      }),
      { numRuns: runs(200, 20_000) },
    );
    expect(ran).toBeGreaterThan(20);
  }, 600_000);

  it("would be seen", () => {
    expect(reachesOut(awk, ['BEGIN { system("p") }'])).toBe(true);
    expect(reachesOut(awk, ['BEGIN { print "a" > "g" }'])).toBe(true);
  });
});
