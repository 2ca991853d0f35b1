import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signCertificate } from "@svc/audit-log/certificate";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { certificateOf } from "@svc/audit-log/testing/certificate-example";
import type { ContainmentCertificate } from "@svc/contract/containment-certificate";
import { afterAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const signer = parseSigner("svc-audit", generateSigningKey());
const KEY = renderVerifierKey(signer.verifier);
const STRANGER = renderVerifierKey(parseSigner("svc-audit", generateSigningKey()).verifier);
const noteOf = (changes: Partial<ContainmentCertificate> = {}) =>
  signCertificate(signer, certificateOf(changes));

const folder = mkdtempSync(join(tmpdir(), "svc-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function verify(note: string | Uint8Array, ...options: string[]) {
  return run(["-", "--public-key", KEY, ...options], Buffer.from(note));
}

const run = (args: readonly string[], stdin: Uint8Array = Buffer.alloc(0)) =>
  runCaptured(["compliance", "verify-certificate", ...args], { workingDirectory: folder, stdin });

// proves KILL-41
describe("verify-certificate", () => {
  it("shows what a certificate proves, for people and for programs", async () => {
    const { exitCode, out, error } = await verify(noteOf());
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toContain("ks_1: contained since 2026-11-22T03:00:00.003Z, as of 2026-11-22T03:00:08.000Z\n");
    expect(out).not.toContain("expires");
    expect(out).toContain("  stops      the calls of agent agent-1 of organization default\n");
    expect(out).toMatch(/^GATEWAY {2}HOST {2}STATE {6}ACKNOWLEDGED {14}CONTAINED SINCE {11}LAST SEEN$/m);
    expect(out).toMatch(/^gw-2 {5}host {2}enforcing {2}2026-\S+ {2}2026-\S+ {2}2026-\S+$/m);
    const json = JSON.parse((await verify(noteOf(), "-o", "json")).out) as object;
    expect(json).toEqual({
      schema: "svc.cli.verify-certificate/v1",
      verdict: "contained",
      certificate: certificateOf({}),
    });
    expect(await verify(noteOf(), "--quiet")).toEqual({ exitCode: 0, out: "", error: "" });
  });

  it("reads a file, and relative paths from where the command was called", async () => {
    writeFileSync(join(folder, "certificate.txt"), noteOf());
    writeFileSync(join(folder, "keys.txt"), `${STRANGER}\n${KEY}\n`);
    expect((await run(["certificate.txt", "--public-key", "keys.txt"])).exitCode).toBe(0);
  });

  it("says when the switch expires, after which the certificate knows nothing", async () => {
    const { out, exitCode } = await verify(noteOf({ expires_at: "2026-11-22T04:00:00.000Z" }));
    expect(out).toContain("  expires    2026-11-22T04:00:00.000Z, and nothing is known of the time after\n");
    expect(exitCode).toBe(0);
  });

  const open = {
    ...certificateOf({}).gateways[1],
    id: "gw-2",
    host: "host",
    version: "1",
    last_seen_at: null,
    state: "not_yet_contained",
    acknowledged_at: null,
    contained_since: null,
    contained_at_latest: "2026-11-22T03:00:01.503Z",
  } as const;

  it("says of a genuine certificate that it proves no containment", async () => {
    const until = "2026-11-22T03:00:01.503Z";
    const early = await verify(
      noteOf({
        containment: "not_yet_contained",
        contained_since: null,
        contained_at_latest: until,
        gateways: [open],
      }),
    );
    expect(early.out).toContain(`ks_1: NOT YET CONTAINED, until ${until} at the latest`);
    expect(early.out).toContain("until then gw-2 may allow calls");
    expect(early.exitCode).toBe(5);
    const ended = await verify(
      noteOf({
        status: "inactive",
        ended_at: until,
        ended_by: "ttl_expiry",
        end_reason: "its time\nks_1: contained since ever",
        containment: "ended",
        contained_since: null,
        gateways: [],
      }),
    );
    expect(ended.out).toContain("ks_1: ENDED, so nothing is contained\n");
    expect(ended.out).toContain(`ended      ${until} by ttl_expiry: its time ks_1: contained since ever\n`);
    expect(ended.exitCode).toBe(5);
  });

  it("cannot be made to control the terminal", async () => {
    const { out } = await verify(noteOf({ reason: "\u001b[2Jall is well\u202e", activated_by: "a\rb" }));
    expect(out).toContain("\\u{1b}[2Jall is well\\u{202e}");
    expect(out).not.toContain("\r");
  });

  const note = noteOf();
  it.each<[string, string | Uint8Array, number, string]>([
    ["changed text", note.replace("agent-1", "agent-2"), 1, "its signature does not match its text"],
    ["another key name", note.replace("svc-audit ", "svc-other "), 5, "cannot be judged"],
    ["a cut file", note.slice(0, 300), 3, "this is not a certificate"],
    ["a file without its last newline", note.slice(0, -1), 3, "the file may be cut"],
    ["nothing", "", 3, "this is not a certificate"],
    ["changed line endings", note.replaceAll("\n", "\r\n"), 3, "line endings were changed"],
    ["what is not UTF-8", Buffer.concat([Buffer.from(note), Buffer.from([0xff])]), 3, "expected UTF-8"],
    ["a byte order mark", `\ufeff${note}`, 3, "svc-containment/"],
    ["a huge file", Buffer.alloc(4 * 1024 * 1024, 0x20), 3, "expected at most 3145728 bytes"],
    ["JSON alone", note.split("\n")[1] ?? "", 3, "this is not a certificate"],
  ])("refuses %s", async (_, text, code, says) => {
    const { exitCode, out, error } = await verify(text);
    expect(out + error).toContain(says);
    expect(exitCode).toBe(code);
    if (code === 1) {
      const json = JSON.parse((await verify(text, "-o", "json")).out) as object;
      expect(json).toMatchObject({ verdict: "broken", certificate: null });
    }
  });

  it.each<[readonly string[], string]>([
    [["-"], "needs --public-key"],
    [
      ["/nowhere/certificate", "--public-key", KEY],
      "/nowhere/certificate cannot be read: there is no such file",
    ],
    [["-", "--public-key", "/nowhere/key"], "--public-key: expected a key or a readable file"],
    [[], "missing required argument"],
  ])("refuses the command line %j", async (args, message) => {
    const { exitCode, error } = await run(args);
    expect(error).toContain(message);
    expect(exitCode).toBe(2);
  });

  it("refuses a certificate of a server whose key was not given", async () => {
    const { exitCode, out } = await run(["-", "--public-key", STRANGER], Buffer.from(note));
    expect({ exitCode, out }).toEqual({
      exitCode: 5,
      out: expect.stringMatching(
        /^cannot be judged: none of .* signed it: given \S+, needed \S+; is it the right key file\?\n$/,
      ) as string,
    });
  });
});
