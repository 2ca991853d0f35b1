import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openOutbound } from "./open-outbound.ts";

const NOTHING = { allow: [], allowPrivate: false, caFile: null };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-outbound-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ASKED = { method: "GET", headers: {}, body: null, deadlineMs: 10_000, maxBytes: 10 };

// proves OUT-06
it("warns of a server that may call every private address, and of no other", () => {
  const warn = vi.fn();
  openOutbound(NOTHING, { warn });
  expect(warn).not.toHaveBeenCalled();
  openOutbound({ ...NOTHING, allowPrivate: true }, { warn });
  expect(warn.mock.calls).toEqual([
    [
      { variable: "SVC_WEBHOOK_ALLOW_PRIVATE" },
      expect.stringMatching(/every private address.*SVC_OUTBOUND_ALLOW/),
    ],
  ]);
});

it.each([
  ["none.pem", null, /ENOENT/],
  ["empty.pem", "", /holds no certificate/],
  ["key.pem", "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n", /holds no certificate/],
  ["bad.pem", "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n", /.+/],
])("stops the start for authorities that cannot be read: %s", (name, text, why) => {
  const caFile = join(folder, name);
  if (text !== null) writeFileSync(caFile, text);
  const open = () => openOutbound({ ...NOTHING, caFile }, { warn: vi.fn() });
  expect(open).toThrow(/^SVC_OUTBOUND_CA_FILE ".*\.pem": expected a PEM file of certificates, found: /);
  expect(open).toThrow(why);
});

it("calls by the rules of the settings, also after it was closed", async () => {
  const caFile = join(folder, "roots.pem");
  writeFileSync(caFile, rootCertificates.slice(0, 2).join("\n"));
  const outbound = openOutbound({ ...NOTHING, caFile }, { warn: vi.fn() });
  for (let n = 0; n < 2; n += 1) {
    expect(await outbound.send({ ...ASKED, url: "http://127.0.0.1:1/" })).toMatchObject({
      kind: "refused",
      reason: "127.0.0.1 is a private address; SVC_OUTBOUND_ALLOW does not name it",
    });
    await outbound.close();
  }
});
