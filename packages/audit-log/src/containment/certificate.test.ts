import type { ContainmentCertificate } from "@svc/contract/containment-certificate";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateSigningKey, type NoteSigner, parseSigner } from "../note-key.ts";
import { signNote } from "../signed-note.ts";
import { certificateOf } from "../testing/certificate-example.ts";
import { MAX_CERTIFICATE_LENGTH, signCertificate, verifyCertificate } from "./certificate.ts";

const signer = parseSigner("svc-audit", generateSigningKey());
const keys = [signer.verifier];
const note = signCertificate(signer, certificateOf({}));
const [origin = "", json = ""] = note.split("\n");

const kindOf = (text: string) => verifyCertificate(text, keys).kind;

/** Signs a text that no server would sign. */
const signed = (text: string, by: NoteSigner = signer): string => signNote(by, text);

describe("a containment certificate", () => {
  it("is read as it was signed", () => {
    expect(verifyCertificate(note, keys)).toEqual({ kind: "valid", certificate: certificateOf({}) });
    expect(origin).toBe("svc-containment/ks_1");
  });

  // proves KILL-41
  it("is refused after any change of one character", () => {
    fc.assert(
      fc.property(
        fc.nat(note.length - 1),
        fc.string({ minLength: 0, maxLength: 2, unit: "binary" }),
        (at, character) => {
          const changed = note.slice(0, at) + character + note.slice(at + 1);
          fc.pre(changed !== note);
          expect(kindOf(changed)).not.toBe("valid");
        },
      ),
      { numRuns: runs(2_000, 20_000) },
    );
  });

  // proves KILL-41
  it("is refused after any removal, insertion or exchange of text", () => {
    const place = fc.nat(note.length);
    fc.assert(
      fc.property(place, place, fc.string(), (from, to, text) => {
        const changed = note.slice(0, Math.min(from, to)) + text + note.slice(Math.max(from, to));
        fc.pre(changed !== note);
        expect(kindOf(changed)).not.toBe("valid");
      }),
      { numRuns: runs(2_000, 20_000) },
    );
    for (let length = 0; length < note.length; length += 1)
      expect(kindOf(note.slice(0, length))).not.toBe("valid");
  });

  // proves KILL-41
  it.each<[string, string, string]>([
    [
      "another key",
      signCertificate(parseSigner("svc-audit", generateSigningKey()), certificateOf({})),
      "unknown_key",
    ],
    [
      "the same key under another name",
      note.replace("\u2014 svc-audit ", "\u2014 svc-other "),
      "unknown_key",
    ],
    ["changed text", note.replace("agent-1", "agent-2"), "bad_signature"],
    ["a line more", note.replace("\n\n", "\n{}\n\n"), "bad_signature"],
    ["nothing", "", "malformed"],
    ["no signature", note.split("\n\n")[0] ?? "", "malformed"],
    ["a text that is huge", "x".repeat(MAX_CERTIFICATE_LENGTH + 1), "malformed"],
    ["a checkpoint", signed("svc-audit/gw-1\n0\nAA==\n"), "malformed"],
    ["the signature of another certificate", exchangedSignature(), "bad_signature"],
  ])("is refused: %s", (_, text, kind) => expect(kindOf(text)).toBe(kind));

  // proves KILL-41
  it.each<[string, string, string]>([
    ["a member twice", `${origin}\n${json.replace("{", '{"status":"active",')}\n`, "JSON"],
    ["a member that is not known", `${origin}\n${json.replace("{", '{"a":1,')}\n`, "nrecognized"],
    ["spaces", `${origin}\n${json.replace(":", ": ")}\n`, "not canonical"],
    ["another switch in the first line", `svc-containment/ks_2\n${json}\n`, "another kill switch"],
    ["a line more", `${origin}\n${json}\n${json}\n`, "two lines"],
    ["a later version", `${origin}\n${json.replace('"v":1', '"v":2')}\n`, "v:"],
    ["__proto__", `${origin}\n${json.replace("{", '{"__proto__":{},')}\n`, "JSON"],
    [
      "contained, with a gateway that is not",
      `${origin}\n${json.replace('"state":"enforcing"', '"state":"not_yet_contained"')}\n`,
      "not_yet_contained",
    ],
    [
      "contained, and inactive",
      `${origin}\n${json.replace('"status":"active"', '"status":"inactive"')}\n`,
      "inactive",
    ],
  ])("is refused although a given key has signed it: %s", (_, text, why) => {
    expect(verifyCertificate(signed(text), keys)).toEqual({
      kind: "contradictory",
      why: expect.stringContaining(why) as string,
    });
  });

  it("is not signed when it contradicts itself", () => {
    expect(() => signCertificate(signer, certificateOf({ contained_since: null }))).toThrow(
      "contained_since",
    );
  });
});

function exchangedSignature(): string {
  const other: ContainmentCertificate = certificateOf({ kill_switch_id: "ks_2" });
  return `${note.split("\n\n")[0] ?? ""}\n\n${signCertificate(signer, other).split("\n\n")[1] ?? ""}`;
}
