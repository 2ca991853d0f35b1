// peers: go
// long: it builds OPA once for each user
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openPatientRego } from "@svc/rego/testing/patient-rego";
import { canonicalJson } from "@svc/text/canonical-json";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { COMPARED_MODULES } from "./compared-modules.ts";

const ROOT = join(import.meta.dirname, "../..");
const OPA = join(ROOT, ".tools/opa/bin/opa");

const INPUTS_PER_MODULE = 100;

/** Each input, as the module sees it, and what it says of it. */
const QUERY = `[r | some x in data.generated.inputs
  deny := data.p.deny with input as x
  approval := data.p.require_approval with input as x
  r := {"deny": deny, "require_approval": approval}]`;

const word = fc.constantFrom(
  "alpha",
  "read",
  "delete",
  "a.b",
  "abc12",
  "a-x.c",
  "",
  "é",
  "/srv/a",
  "/etc/../x",
);
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: -5, max: 200 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.oneof(
  word,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.dictionary(word, number, { maxKeys: 2 }),
);

const input = fc.record({
  tool: word,
  agent_id: word,
  namespace: word,
  session_id: word,
  time: fc
    .date({
      min: new Date("1980-01-01T00:00:00Z"),
      max: new Date("2200-01-01T00:00:00Z"),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  args: fc.record(
    {
      amount: value,
      list: fc.array(value, { maxLength: 5 }),
      text: value,
      path: value,
      flag: value,
      other: value,
    },
    { requiredKeys: [] },
  ),
});

// skip: Go fetches the sources of OPA
test.skipIf(missing.go)("two thousand generated inputs give what `opa eval` gives", async () => {
  execFileSync(process.execPath, [join(ROOT, "scripts/install-opa.ts")]);
  const folder = mkdtempSync(join(tmpdir(), "svc-opa-"));
  const rego = openPatientRego();
  onTestFinished(async () => {
    await rego.close();
    rmSync(folder, { recursive: true });
  });
  for (const [at, rules] of COMPARED_MODULES.entries()) {
    const text = `package p\n${rules}\n`;
    const inputs = fc.sample(input, { numRuns: INPUTS_PER_MODULE, seed: at + 1 });
    const prepared = await rego.prepare(
      { text, data: null },
      { organization: "o", policyId: "p", version: at },
    );
    const ours = [];
    for (const one of inputs) ours.push(await prepared.evaluate(canonicalJson(one)));
    prepared.close();
    expect({ rules, results: ours }).toEqual({
      rules,
      results: await evaluateNatively(folder, text, inputs),
    });
  }
});

async function evaluateNatively(folder: string, text: string, inputs: readonly object[]): Promise<object[]> {
  // A rule that a module lacks has no value in OPA; here it says nothing.
  const both = `${text}\ndeny contains "" if false\nrequire_approval contains "" if false\n`;
  writeFileSync(join(folder, "policy.rego"), both);
  writeFileSync(join(folder, "data.json"), JSON.stringify({ generated: { inputs } }));
  const files = ["-d", join(folder, "policy.rego"), "-d", join(folder, "data.json")];
  const args = ["eval", "--format", "raw", "--strict-builtin-errors", ...files, QUERY];
  const { stdout } = await promisify(execFile)(OPA, args, { maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(stdout) as { deny: string[]; require_approval: string[] }[]).map((said) => ({
    kind: "messages",
    deny: said.deny.toSorted(),
    requireApproval: said.require_approval.toSorted(),
  }));
}
