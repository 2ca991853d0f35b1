// long: it runs generated programs in every awk of the machine
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs } from "@svc/contract/testing/runs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
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

const PLAIN: readonly (readonly string[])[] = [
  ["{print $5}", "f"],
  ["{ print $1 }"],
  ["-F:", '{print $1 ":" $NF}', "f"],
  ["-F", "|", "-v", "n=3", "NR > n { s += $2 } END { print s / NR, s/2 }"],
  ["/^[0-9]+ a|b/ && $3 > 5 || !/x\\/y/ {n++} END {print n}"],
  ['BEGIN { FS = "," } $1 ~ /[[:alpha:]]"/ { printf("%s|%s\\n", $1, $2) }'],
  ["--", "NR==1", "f"],
  ['# count\n{ c[$1]++ }\nEND { for (k in c) print k, c[k] " > " }'],
  ['{ gsub(/[^a-z]/, ""); print length($0) }'],
  ["NR>1{if ($3>=max) max=$3} END{print max}"],
];

const NOT_PLAIN: readonly (readonly string[])[] = [
  ['BEGIN { system("p") }'],
  ['BEGIN { x = 1system("p") }'],
  ['{ print | "p" }'],
  ['{ print "a" |& "p" }'],
  ['{ print "a;" > "g" }'],
  ['{ print "a", # ;\n "b" > "g" }'],
  ['{ print >> "g" }'],
  ['{ printf("a") > "g" }'],
  ['BEGIN { "p" | getline }'],
  ['BEGIN { getline x < "f" }'],
  ['BEGIN { f = "system"; @f("p") }'],
  ['@include "x"'],
  ['@load "x"; BEGIN { }'],
  ['BEGIN { awk::system("p") }'],
  ['{ if (1) /"/; print "a" | "p" #" }'],
  ['{ x++ / system("p") / 2 }'],
  ['{ x = case / system("p") / 1 }'],
  ['{ x = length / system("p") / 1 }'],
  ['/[/]/ { print "a" | "p" } #/'],
  ['BEGIN { sys\\\ntem("p") }'],
  ["-f", "x"],
  ["-i", "inplace", "{print}"],
  ["-e", "{print}"],
  ["-l", "filefuncs", "{print}"],
  ["-W", "exec", "x"],
  ["--file=x"],
  ["-F", ","],
  [],
];

describe("a call of awk", () => {
  // proves POL-91
  it.each(PLAIN)("is plain: %s", (...args) => expect(isPlain(args)).toBe(true));
  it.each(NOT_PLAIN)("may reach out: %s", (...args) => expect(isPlain(args)).toBe(false));

  it("is not plain where an expansion decides a word", () => {
    const open = { ...literalWord("{print"), isOpen: true };
    expect(isPlainAwk([open])).toBe(false);
    expect(isPlainAwk([literalWord("-F"), open, literalWord("{print}")])).toBe(false);
  });
});

const PIECES = [
  ...['system("p")', 'print "a"', "print", '| "p"', '"p" | getline', '> "g"', '>> "g"', 'printf("a")'],
  ...[
    "/",
    "/",
    "/",
    '"',
    '"',
    "\\",
    "\n",
    ";",
    "{",
    "}",
    "{ ",
    " }",
    "(",
    ")",
    "[",
    "]",
    "#",
    ",",
    "1",
    "x",
    "$1",
  ],
  ...[
    "++",
    "--",
    " ",
    " ",
    "!",
    "~",
    "=",
    "<",
    ">",
    "|",
    "||",
    "&&",
    "if (1) ",
    "else ",
    "do ",
    "in ",
    "case ",
  ],
  ...[
    "length",
    "BEGIN { ",
    "END { ",
    "function q(x) { ",
    "return ",
    "q(1)",
    "@",
    "@q(1)",
    "getline ",
    "exit ",
  ],
  ...["/x/", '/"/', "/[/]/", "? ", ": ", "+", "-", "%", ".5", "1e3", "print $1 / 2", 'x = "/"', "delete x"],
];
const WHOLE = [
  'BEGIN { system("p") }',
  'BEGIN { print "a" > "g" }',
  'BEGIN { print "a" | "p" }',
  "/x/ { n = 4 / 2 }",
];
const texts = fc
  .tuple(
    fc.option(fc.constantFrom(...WHOLE), { nil: "" }),
    fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 9 }),
  )
  .map(([whole, puts]) =>
    puts.reduce((text, [at, piece]) => text.slice(0, at) + piece + text.slice(at), whole),
  );

describe.each(AWKS)("what $name does with a plain program", (awk) => {
  // proves POL-91
  it("stays within its input and output", () => {
    let plain = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (!isPlain([text])) return;
        plain += 1;
        expect([text, reachesOut(awk, [text])]).toEqual([text, false]);
      }),
      { numRuns: runs(400, 20_000) },
    );
    expect(plain).toBeGreaterThan(20);
  }, 600_000);

  it("would be seen", () => {
    expect(reachesOut(awk, ['BEGIN { system("p") }'])).toBe(true);
    expect(reachesOut(awk, ['BEGIN { print "a" > "g" }'])).toBe(true);
  });
});
