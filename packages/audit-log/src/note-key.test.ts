import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCheckpoint, signCheckpoint, verifyCheckpoint } from "./checkpoint.ts";
import { parseCheckpointLine, renderCheckpointLine } from "./checkpoint-line.ts";
import { checkpointOf, goldenRows, goldenSigner, testSigner } from "./golden-chain.suite.ts";
import { generateSigningKey, parseSigner, parseVerifierKey, renderVerifierKey } from "./note-key.ts";
import { genesisHash } from "./row-hash.ts";
import { parseNote, signNote, verifyNote } from "./signed-note.ts";

describe("keys", () => {
  it("survive being written down", () => {
    const signer = parseSigner("svc.example", generateSigningKey());
    const key = parseVerifierKey(renderVerifierKey(signer.verifier));
    const note = parseNote(signNote(signer, "hello\n"));
    expect(note && verifyNote(note, [key])).toBe("trusted");
  });

  /** The published key of the Go checksum database. */
  const published = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";

  it("have the form and the ids that others publish", () => {
    expect(renderVerifierKey(parseVerifierKey(published))).toBe(published);
  });

  const wrong: readonly [string, string][] = [
    ["", "expected a key as"],
    [renderVerifierKey(goldenSigner.verifier).replace("svc", "s c"), "expected a key as"],
    [renderVerifierKey(goldenSigner.verifier).replace("svc", "xyz"), "is mistyped or damaged"],
    [`${renderVerifierKey(goldenSigner.verifier)}=`, "expected a key as"],
    ["a+00000000+AgAA", "expected an Ed25519 key"],
    [published.slice(0, -4), "expected an Ed25519 key"],
  ];
  it.each(wrong)("refuses the text %j", (text, message) => {
    expect(() => parseVerifierKey(text)).toThrow(message);
  });

  it("refuses a private key of another kind, and names that cannot stand in a note", () => {
    const pem = generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    expect(() => parseSigner("svc", pem)).toThrow("expected an Ed25519 private key, found x25519");
    for (const name of ["", "a b", "a+b", "a\u0085"]) {
      expect(() => parseSigner(name, generateSigningKey())).toThrow("expected a key name");
    }
  });
});

describe("checkpoints", () => {
  const head = { logId: "gw-1", size: 0, hash: genesisHash("gw-1") };

  it("say what was signed", () => {
    const note = signCheckpoint(goldenSigner, head);
    expect(parseCheckpoint(note)).toEqual(head);
    expect(verifyCheckpoint(note, [goldenSigner.verifier])).toEqual({ kind: "valid", checkpoint: head });
    expect(note.split("\n").slice(0, 2)).toEqual(["svc-audit/gw-1", "0"]);
  });

  it.each([
    { ...head, logId: "a\nb" },
    { ...head, logId: "" },
    { ...head, size: -1 },
    { ...head, size: 2 ** 60 },
    { ...head, hash: new Uint8Array(3) },
  ])("are not signed over %j", (strange) => {
    expect(() => signCheckpoint(goldenSigner, strange)).toThrow(RangeError);
  });

  it("may carry the signatures of several keys, of which one must be known and none false", () => {
    const other = testSigner("other", 3);
    const note = signCheckpoint(goldenSigner, head);
    const both = note + signCheckpoint(other, head).split("\n\n")[1]!;
    const kinds = (text: string) =>
      [[goldenSigner.verifier], [other.verifier], []].map((keys) => verifyCheckpoint(text, keys).kind);
    expect(kinds(both)).toEqual(["valid", "valid", "unknown_key"]);
    const falsified = note + signCheckpoint(other, { ...head, size: 1 }).split("\n\n")[1]!;
    expect(kinds(falsified)).toEqual(["valid", "bad_signature", "unknown_key"]);
    expect(verifyCheckpoint(falsified, [goldenSigner.verifier, other.verifier]).kind).toBe("bad_signature");
  });

  it("L1: no changed byte of a note is taken for valid", () => {
    const note = Buffer.from(checkpointOf(goldenRows(), 12));
    for (let at = 0; at < note.length; at += 1) {
      for (const bit of [0, 3, 5, 7]) {
        const mutated = Buffer.from(note);
        mutated[at] = (note[at] ?? 0) ^ (1 << bit);
        expect(verifyCheckpoint(mutated.toString(), [goldenSigner.verifier]).kind).not.toBe("valid");
      }
    }
  });

  it("any text is malformed rather than a defect", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => parseCheckpoint(`${text}\n\n\u2014 a AAAA\n`) === null,
      ),
    );
  });
});

describe("checkpoint lines", () => {
  const checkpoint = { logId: "gw-golden", size: 12, note: checkpointOf(goldenRows(), 12) };
  const line = renderCheckpointLine(checkpoint);

  it("are read back", () => {
    expect(parseCheckpointLine(line)).toEqual(checkpoint);
  });

  it.each([
    line.trim(),
    line.replace("12", "13"),
    line.replace("gw-golden", "gw-other"),
    ` ${line}`,
    "{}\n",
    "null\n",
    "\n",
    "{",
  ])("refuse %j", (text) => {
    expect(parseCheckpointLine(text)).toBeNull();
  });
});
