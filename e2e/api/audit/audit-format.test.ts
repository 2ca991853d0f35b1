// peers: python3
// long: verifies exports with a second program, process by process
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import {
  PLAIN_MANIPULATIONS,
  REHASHED_MANIPULATIONS,
  rehashed,
  withEnd,
} from "@svc/audit-log/testing/manipulations";
import { describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { type ProgramResult, runProgram } from "../../support/processes/run-program.ts";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedRows } from "../../support/server/audit-export.ts";
import { fetchWithKey } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const GOLDEN = join(ROOT, "packages", "audit-log", "testdata");

const VERIFIER = join(ROOT, "packages", "audit-log", "verifier", "verify_audit.py");

/** Verifies a text with a key, as an auditor does who kept the key in a file. */
async function verified(exported: string, key: string, ...more: readonly string[]): Promise<ProgramResult> {
  const folder = await temporaryDirectory();
  const [file, keys] = [join(folder, "export.ndjson"), join(folder, "keys.txt")];
  await writeFile(file, exported);
  await writeFile(keys, `${key}\n`);
  return runProgram("python3", [VERIFIER, file, keys, ...more]);
}

/** Verifies an excerpt of the organization `acme`, or of another one. */
const verifiedExcerpt = (excerpt: string, key: string, org = "acme"): Promise<ProgramResult> =>
  verified(excerpt, key, "--org", org);

// proves AUD-30
// skip: the machine has no Python; continuous integration has it and fails without.
describe.skipIf(missing.python3)("the verifier in Python that ships", () => {
  it("finds the export of a server intact", async () => {
    const { url } = await serverOfTest();
    expect((await createPolicy(url)).status).toBe(201);
    for (const amount of [1, 2, 3])
      await execute(url, { args: { amount, note: 'Zürich "\u{1f98a}"\u0007' } });
    const [key = ""] = (await send("GET", `${url}/api/v1/audit/public-key`)).body["keys"] as string[];
    const exported = await (await fetchWithKey(`${url}/api/v1/audit/export`)).text();
    const count = checkedRows(exported).length;
    expect(count).toBeGreaterThan(4);
    const { exitCode, stdout, stderr } = await verified(exported, key);
    const rows = `${String(count)} rows`;
    expect({ exitCode, stderr, stdout }).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringMatching(new RegExp(`^intact: ${rows}\\n\\S+: ${rows}, head [0-9a-f]{64}\\n$`)),
    });
  });

  it("notices every manipulation that ours notices", async () => {
    const key = (await readFile(join(GOLDEN, "golden-public-key.txt"), "utf8")).trim();
    const whole = await readFile(join(GOLDEN, "golden-export.ndjson"), "utf8");
    const lines = whole.split(/(?<=\n)/);
    expect((await verified(rehashed(lines).join(""), key)).exitCode).toBe(0);
    const passed: string[] = [];
    for (const { name, apply } of [...PLAIN_MANIPULATIONS, ...REHASHED_MANIPULATIONS]) {
      const { exitCode } = await verified(apply(lines).join(""), key);
      if (exitCode === 0) passed.push(name);
    }
    expect(passed).toEqual([]);
  });

  // proves AUD-85
  it("does not judge an export or an excerpt with the key of another deployment", async () => {
    const stranger = renderVerifierKey(parseSigner("svc-other", generateSigningKey()).verifier);
    const key = (await readFile(join(GOLDEN, "golden-public-key.txt"), "utf8")).trim();
    const [given, needed] = [stranger, key].map((one) => one.split("+", 2).join("+"));
    const keys = `given ${String(given)}, needed ${String(needed)}`;
    const says = `cannot be judged: none of the given keys signed gw-golden: ${keys}\n`;
    for (const name of ["golden-export", "golden-export-removed", "golden-excerpt"]) {
      const text = await readFile(join(GOLDEN, `${name}.ndjson`), "utf8");
      const org = name === "golden-excerpt" ? ["--org", "acme"] : [];
      const { exitCode, stdout, stderr } = await verified(text, stranger, ...org);
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 5, stdout: says, stderr: "" });
    }
    const whole = await readFile(join(GOLDEN, "golden-export.ndjson"), "utf8");
    const changed = whole.replace("refunds need a person", "refunds need a persom");
    expect((await verified(changed, stranger)).exitCode).toBe(1);
    const empty = await verified(
      '{"format":"svc-audit-export/1"}\n{"end":{"rows":0,"checkpoints":0}}\n',
      key,
    );
    expect({ ...empty }).toMatchObject({ exitCode: 5, stdout: "unsigned: the export holds no row\n" });
  });

  // proves AUD-36
  it("finds an export with removed rows intact, and notices every changed line of it", async () => {
    const key = (await readFile(join(GOLDEN, "golden-public-key.txt"), "utf8")).trim();
    const lines = (await readFile(join(GOLDEN, "golden-export-removed.ndjson"), "utf8")).split(/(?<=\n)/);
    const { stderr, stdout } = await verified(lines.join(""), key);
    expect({ stderr, stdout }).toEqual({
      stderr: "",
      stdout: expect.stringContaining("intact: 36 rows\n"),
    });
    const note = lines.findIndex((line) => line.includes('"removal":'));
    const emptied = lines.findIndex((line) => line.includes('"seq":20,'));
    const changes = [
      withEnd(lines.toSpliced(note, 1)),
      lines.with(note, (lines[note] ?? "").replace("0-9,", "0-8,")),
      lines.with(note, (lines[note] ?? "").replace("\\n365\\n", "\\n30\\n")),
      lines.with(3, (lines[3] ?? "").replace(/"hash":"./, '"hash":"f')),
      lines.with(emptied, (lines[emptied] ?? "").replace(/"row":".*"}/s, '"removed":true}')),
      withEnd(lines.toSpliced(note, 1).toSpliced(5, 0, lines[note] ?? "")),
    ];
    const codes = [];
    for (const changed of changes) codes.push((await verified(changed.join(""), key)).exitCode);
    expect(codes).toEqual(changes.map(() => 1));
  });

  // proves AUD-33
  it("finds an excerpt intact, and notices lines that are removed, repeated, moved or changed", async () => {
    const key = (await readFile(join(GOLDEN, "golden-public-key.txt"), "utf8")).trim();
    const lines = (await readFile(join(GOLDEN, "golden-excerpt.ndjson"), "utf8")).split(/(?<=\n)/);
    const { stderr, stdout } = await verifiedExcerpt(lines.join(""), key);
    const intact = "intact: 24 rows, 12 of other organizations left out\n";
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: intact });
    expect((await verifiedExcerpt(lines.join(""), key, "other")).exitCode).not.toBe(0);
    const filtered = await readFile(join(GOLDEN, "golden-excerpt-filtered.ndjson"), "utf8");
    const found = await verifiedExcerpt(filtered, key);
    expect({ stderr: found.stderr, stdout: found.stdout }).toEqual({
      stderr: "",
      stdout: "intact: 7 rows, 29 left out by organization or filter\n",
    });
    const widened = filtered.replace(/"kind":"decision",/, "");
    expect((await verifiedExcerpt(widened, key)).exitCode).not.toBe(0);
    const passed: string[] = [];
    const note = lines.length - 2;
    for (const at of [0, 1, 12, note - 1, note, lines.length - 1]) {
      const line = lines[at] ?? "";
      const next = lines[at + 1] ?? "";
      const changes = {
        removed: lines.toSpliced(at, 1),
        repeated: lines.toSpliced(at, 0, line),
        changed: lines.with(at, line.replace(/[3-9]/, "2")),
        ...(next === "" ? {} : { moved: lines.with(at, next).with(at + 1, line) }),
      };
      for (const [name, changed] of Object.entries(changes)) {
        if (changed.join("") === lines.join("")) continue;
        const { exitCode } = await verifiedExcerpt(changed.join(""), key);
        if (exitCode === 0) passed.push(`line ${String(at + 1)} ${name}`);
      }
    }
    expect(passed).toEqual([]);
  });
});
