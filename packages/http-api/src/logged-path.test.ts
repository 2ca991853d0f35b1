import { expect, it } from "vitest";
import { loggedPath } from "./logged-path.ts";

const SECRET = "a1".repeat(32);

it.each([
  ["/v1/keys/k1?x=1", "/v1/keys/k1"],
  [`/v1/key/svc_abcd_${SECRET}`, "/v1/key/svc_abcd_(masked)"],
  [`/svc_abcd_${SECRET}/svc_efgh_${SECRET}`, "/svc_abcd_(masked)/svc_efgh_(masked)"],
])("K2: %s is logged without secrets", (url, expected) => {
  expect(loggedPath(url)).toContain(expected);
  expect(loggedPath(url)).not.toContain(SECRET);
});
