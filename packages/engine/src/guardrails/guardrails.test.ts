import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { compileAtOnce } from "../compile-document.ts";
import type { CompiledPolicy } from "../compiled-policy.ts";
import { compileParts, decidingDocument } from "../document-parts.ts";
import { prepareDocument } from "../prepare-document.ts";
import { readPolicy } from "../read-policy.ts";
import { callOf } from "../testing/compiled.suite.ts";
import type { Guardrail } from "./guardrail.ts";
import { readGuardrail, readGuardrails } from "./read-guardrails.ts";
import { guardrailsOfSealed, sealDocument } from "./sealed-guardrails.ts";
import { tryGuardrail } from "./try-guardrail.ts";

const PCI: Guardrail = {
  id: "pci",
  version: 3,
  detectors: ["pii.credit_card"],
  patterns: [{ name: "member", matches: "MBR-[0-9]{6}" }],
  allow: ["4111111111111111", "MBR-000000"],
};

const DETECTING: JsonObject = {
  id: "p",
  tools: { allowed: ["*"] },
  rules: [
    {
      id: "r",
      match: { condition: { field: "args", operator: "detects", value: "guardrail.pci" } },
      action: "deny",
    },
  ],
};

const REDACTING: JsonObject = {
  id: "p",
  tools: { allowed: ["*"] },
  rules: [{ id: "r", match: { tool: "*" }, action: "redact", redact: { detectors: ["guardrail.pci"] } }],
};

function compiled(document: JsonObject, guardrails: readonly Guardrail[] = [PCI]): CompiledPolicy {
  const reading = readPolicy(JSON.stringify(document), { guardrails });
  if (!reading.ok) throw new Error(reading.diagnostics[0]?.message);
  return compileAtOnce(decidingDocument(reading.document));
}

function sealedPolicy(text: string): CompiledPolicy {
  const prepared = prepareDocument({ source: text, json: text });
  if (!prepared.ok) throw new Error(prepared.detail);
  const steps = compileParts(prepared.parts);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function faultOf(document: JsonObject, guardrails: readonly Guardrail[] = []) {
  const reading = readPolicy(JSON.stringify(document), { guardrails });
  return reading.ok ? null : reading.diagnostics[0];
}

describe("a guardrail that a policy names", () => {
  // proves DSET-01
  it.each([
    ["a card", "card 4242 4242 4242 4242", "deny"],
    ["a member", "MBR-104221", "deny"],
    ["nothing", "hello", "allow"],
    ["what it lets pass", "4111111111111111", "allow"],
    ["the same of a pattern", "MBR-000000", "allow"],
    ["what it lets pass, beside a finding", "MBR-000000 MBR-104221", "deny"],
    ["what begins within a text that it lets pass", "MBR-000000MBR-104221", "deny"],
  ])("finds in %s what it looks for: %s", (_what, text, decision) => {
    expect(compiled(DETECTING).evaluate(callOf("t", { x: [text] })).decision).toBe(decision);
  });

  // proves DSET-01
  it("is redacted under its name, in the call and in its row", () => {
    const policy = compiled(REDACTING);
    const call = callOf("t", { a: "MBR-104221 and MBR-000000", b: "4242424242424242" });
    expect(policy.evaluate(call).shapedArgs).toEqual({
      a: "[redacted:guardrail.pci] and MBR-000000",
      b: "[redacted:guardrail.pci]",
    });
    expect(policy.maskRow?.(call)).toEqual({ a: "[masked:rule:r] and MBR-000000", b: "[masked:rule:r]" });
  });

  it("tells its version to whatever writes rows", () => {
    expect(compiled(DETECTING).guardrails).toEqual(["pci@3"]);
    expect(compiled({ id: "p" }).guardrails).toEqual([]);
  });

  // proves DSET-02
  it("is refused at its place when it does not exist, with the nearest name", () => {
    expect(faultOf(DETECTING)).toMatchObject({
      code: "policy/unknown-name",
      pointer: "/rules/0/match/condition/value",
      message: 'there is no guardrail "pci"',
    });
    expect(faultOf(REDACTING, [{ ...PCI, id: "pcy" }])).toMatchObject({
      pointer: "/rules/0/redact/detectors/0",
      fix: "did you mean guardrail.pcy?",
    });
  });

  // proves DSET-03
  it("restricts with a text that cannot be searched with the work of one call", () => {
    const slow = { ...PCI, patterns: [{ name: "slow", matches: `(?:${"[a-y]{1,900}".repeat(4)})z` }] };
    const call = callOf("t", { x: "q".repeat(60_000) });
    expect(compiled(DETECTING, [slow]).evaluate(call)).toMatchObject({ decision: "deny", ruleId: "r" });
    expect(compiled(REDACTING, [slow]).evaluate(call).decision).toBe("deny");
  });
});

describe("a sealed document", () => {
  // proves DSET-04
  it.each([DETECTING, REDACTING])(
    "decides as its document does with the guardrails beside it",
    (document) => {
      const sealed = sealedPolicy(sealDocument(document, [PCI]));
      expect(sealed.guardrails).toEqual(["pci@3"]);
      for (const text of ["4242 4242 4242 4242", "MBR-104221", "MBR-000000", "hello"]) {
        const call = callOf("t", { text });
        expect(sealed.evaluate(call)).toEqual(compiled(document).evaluate(call));
      }
    },
  );

  it("gives its guardrails back", () => {
    const bare = { ...PCI, id: "constructor", version: 1, patterns: [], allow: [] };
    expect(guardrailsOfSealed(sealDocument(DETECTING, [PCI, bare]))).toEqual([PCI, bare]);
    expect(guardrailsOfSealed(JSON.stringify(DETECTING))).toEqual([]);
  });

  // proves DSET-03
  it.each([
    ["without its guardrails", JSON.stringify(DETECTING)],
    ["with another guardrail", sealDocument(DETECTING, [{ ...PCI, id: "other" }])],
    [
      "with a guardrail that looks for nothing",
      JSON.stringify({ ...DETECTING, guardrails: [{ id: "pci", version: 1 }] }),
    ],
    [
      "with a guardrail without a version",
      JSON.stringify({ ...DETECTING, guardrails: [{ id: "pci", detectors: ["pii.iban"] }] }),
    ],
  ])("is refused %s, and its calls are denied", (_why, text) => {
    expect(prepareDocument({ source: text, json: text }).ok).toBe(false);
  });

  it("cannot be written by authors", () => {
    expect(faultOf({ ...DETECTING, guardrails: { pci: { detectors: ["pii.iban"] } } }, [PCI])).toMatchObject({
      code: "policy/unknown-key",
      pointer: "/guardrails",
    });
  });
});

describe("the definition of a guardrail", () => {
  const written = { detectors: ["pii.iban"], patterns: [{ name: "m", matches: "MBR-[0-9]+" }] };
  const pattern = (changed: JsonObject) => ({ patterns: [{ name: "m", matches: "MBR-[0-9]+", ...changed }] });

  // proves DSET-05
  it.each([
    ["looks for nothing", { description: "x" }, "policy/missing-key"],
    [
      "names a detector twice",
      { detectors: ["pii.iban", "pii.email", "pii.iban"] },
      "guardrail/duplicate-detector",
    ],
    ["names an unknown detector", { detectors: ["pii.ibam"] }, "policy/unknown-name"],
    ["names another guardrail", { detectors: ["guardrail.pci"] }, "policy/unknown-name"],
    ["needs look-around", pattern({ matches: "(?=a)b" }), "policy/invalid-regex"],
    ["finds the empty text", pattern({ matches: "[0-9]*" }), "policy/invalid-regex"],
    ["finds nothing where it must", pattern({ must_match: ["MBR-"] }), "guardrail/sample-differs"],
    ["finds something where it must not", pattern({ must_not_match: ["MBR-1"] }), "guardrail/sample-differs"],
    ["has a pattern without a name", { patterns: [{ matches: "a" }] }, "policy/missing-key"],
    ["has an unknown key", { ...written, regex: "a" }, "policy/unknown-key"],
  ])("that %s is refused", (_why, definition, code) => {
    const reading = readGuardrail(JSON.stringify(definition));
    const errors = reading.ok ? [] : reading.diagnostics.filter((one) => one.severity === "error");
    expect(errors.map((one) => one.code)).toEqual([code]);
  });

  // proves DSET-10
  it.each([
    ["nothing", pattern({ must_match: ["MBR-1"] }), []],
    ["that nothing shows what it finds", pattern({ matches: "a^b" }), ["guardrail/untried-pattern"]],
    [
      "that it finds something in any text",
      pattern({ matches: "(?s).+", must_match: ["MBR-1"] }),
      ["guardrail/finds-ordinary-text"],
    ],
  ])("is answered with a warning of %s, at the pattern", (_what, definition, codes) => {
    const reading = readGuardrail(JSON.stringify(definition));
    if (!reading.ok) throw new Error("expected a guardrail");
    const warnings = codes.map((code) => ({ severity: "warning", code, pointer: "/patterns/0/matches" }));
    expect(reading.warnings).toMatchObject(warnings);
    expect(reading.warnings).toHaveLength(codes.length);
  });

  it("names a duplicate where it stands, and a stored one stays in force", () => {
    const twice = ["pii.credit_card", "pii.credit_card"] as const;
    expect(readGuardrail(JSON.stringify({ detectors: twice }))).toMatchObject({
      diagnostics: [{ code: "guardrail/duplicate-detector", pointer: "/detectors/1" }],
    });
    const sealed = sealedPolicy(sealDocument(DETECTING, [{ ...PCI, detectors: twice }]));
    expect(sealed.evaluate(callOf("t", { x: "4242424242424242" })).decision).toBe("deny");
  });

  it("is read from files by ids, and a wrong id is refused", () => {
    expect(readGuardrails("pci: {detectors: [pii.iban]}", "guardrails.yaml")).toMatchObject({
      ok: true,
      value: { guardrails: [{ id: "pci", version: 0, detectors: ["pii.iban"] }] },
    });
    expect(readGuardrails("P.C: {detectors: [pii.iban]}", "guardrails.yaml")).toMatchObject({
      ok: false,
      diagnostics: [{ code: "policy/invalid-identifier", file: "guardrails.yaml", line: 1 }],
    });
  });

  // proves DSET-06
  it("says what it finds, where, and what counts for nothing", () => {
    expect(tryGuardrail(PCI, "MBR-000000 MBR-104221")).toEqual({
      finds: true,
      complete: true,
      findings: [
        { detector: "member", start: 0, end: 10, allowed: true },
        { detector: "member", start: 11, end: 21, allowed: false },
      ],
    });
    expect(tryGuardrail(PCI, "MBR-000000")).toMatchObject({ finds: false });
  });

  // proves DSET-06
  it.each([
    [
      "0000001234",
      [
        { start: 0, end: 6, allowed: true },
        { start: 1, end: 7, allowed: false },
      ],
      "0[out]234",
    ],
    [
      "123456000000",
      [
        { start: 0, end: 6, allowed: false },
        { start: 6, end: 12, allowed: true },
      ],
      "[out]000000",
    ],
    ["x 000000", [{ start: 2, end: 8, allowed: true }], "x 000000"],
  ])("lists what counts in %s, also within what is allowed, and redacts it", (text, findings, redacted) => {
    const digits: Guardrail = {
      ...PCI,
      detectors: [],
      patterns: [{ name: "six", matches: "[0-9]{6}" }],
      allow: ["000000"],
    };
    const counted = findings.filter(({ allowed }) => !allowed);
    expect(tryGuardrail(digits, text)).toMatchObject({ finds: counted.length > 0, complete: true, findings });
    const shaped = compiled(REDACTING, [digits]).evaluate(callOf("t", { text })).shapedArgs ?? { text };
    expect(shaped).toEqual({ text: redacted.replace("[out]", "[redacted:guardrail.pci]") });
  });
});
