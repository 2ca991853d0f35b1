import { recordingLogger } from "@svc/process/testing/recording-logger";
import { expect, it } from "vitest";
import { warnOfExposure } from "./warn-of-exposure.ts";

const PLAIN = ["plain HTTP", "Set SVC_TLS_CERT_FILE and SVC_TLS_KEY_FILE, or put TLS in front of it"];
const NO_TLS = { SVC_TLS_CERT_FILE: null, SVC_TLS_KEY_FILE: null, SVC_TLS_CLIENT_CA_FILE: null };
const ASTRAY = "leads approvers to their own machine";

// proves OPS-72
it.each([
  ["127.0.0.1", "http://localhost:8080", []],
  ["0.0.0.0", "http://localhost:8080", [...PLAIN, ASTRAY, "or listen on 127.0.0.1"]],
  ["10.1.2.3", "https://[::1]", [ASTRAY]],
  ["0.0.0.0", "http://svc.example", PLAIN],
  ["::", "http://svc.example", PLAIN],
  ["::", "https://svc.example", []],
  // As docker/compose.yaml has it: TLS ends in front, and the machine alone reaches it.
  ["0.0.0.0", "https://localhost:8443", []],
])("a server on %s with the public address %s warns: %j", (host, publicUrl, expected) => {
  const log = recordingLogger();
  warnOfExposure({ listen: { host, port: 8080 }, publicUrl, tls: NO_TLS }, log);
  expect(log.messages).toHaveLength(expected.length === 0 ? 0 : 1);
  for (const part of expected) expect(log.messages[0]).toContain(part);
});

// proves TLS-06
it("a server with a certificate of its own does not warn of plain HTTP", () => {
  const log = recordingLogger();
  const tls = { ...NO_TLS, SVC_TLS_CERT_FILE: "a.crt", SVC_TLS_KEY_FILE: "a.key" };
  warnOfExposure({ listen: { host: "0.0.0.0", port: 8080 }, publicUrl: "http://svc.example", tls }, log);
  expect(log.messages).toEqual([]);
});
