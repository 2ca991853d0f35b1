import { expect, it } from "vitest";
import { warnOfExposure } from "./warn-of-exposure.ts";

// proves OPS-72
it.each([
  ["127.0.0.1", "http://localhost:8080", null],
  ["0.0.0.0", "http://localhost:8080", "leads approvers to their own machine"],
  ["10.1.2.3", "https://[::1]", "leads approvers to their own machine"],
  ["0.0.0.0", "http://svc.example", "unencrypted"],
  ["::", "https://svc.example", null],
])("a server on %s with the public address %s warns: %s", (host, publicUrl, expected) => {
  const warned: string[] = [];
  const listen = { host, port: 8080 };
  warnOfExposure({ listen, publicUrl }, { warn: (_, message) => warned.push(message) });
  expect(warned).toEqual(expected === null ? [] : [expect.stringContaining(expected)]);
});
