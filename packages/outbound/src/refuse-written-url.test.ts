import { expect, it } from "vitest";
import { parseOutboundAllow } from "./parse-outbound-allow.ts";
import { refuseWrittenUrl } from "./refuse-written-url.ts";

const rules = (allow = "") => ({
  allow: allow === "" ? [] : parseOutboundAllow(allow),
  allowPrivate: false,
});

it.each<readonly [url: string, allow: string, refusal: RegExp | null]>([
  ["https://issuer.example/keys", "", null],
  ["http://issuer.internal/keys", "", null],
  ["https://192.0.2.7/keys", "", /never calls/],
  ["https://93.184.216.34/keys", "", null],
  ["http://93.184.216.34/keys", "", /over https alone/],
  ["https://169.254.169.254/latest/meta-data", "169.254.169.254", /never calls/],
  ["https://[fd00:ec2::254]/", "[fd00:ec2::254]", /never calls/],
  ["https://2130706433/keys", "", /127\.0\.0\.1 is a private address/],
  ["https://10.0.0.7/keys", "", /SVC_OUTBOUND_ALLOW does not name it/],
  ["https://10.0.0.7/keys", "10.0.0.0/8:443", null],
  ["https://10.0.0.7:8443/keys", "10.0.0.0/8:443", /private/],
  ["https://[::1]/keys", "", /private/],
  ["http://localhost:8080/keys", "", /localhost is the name of a private address/],
  ["http://idp.LOCALHOST:8080/keys", "", /private/],
  ["http://localhost:8080/keys", "localhost:8080", null],
  ["http://localhost:8080/keys", "[::1]:8080", null],
  ["https://localhost.example/keys", "", null],
  ["https://user:pw@issuer.example/", "", /credentials/],
  ["ftp://issuer.example/", "", /must begin with/],
])("%s with %j: %s", (url, allow, refusal) => {
  const found = refuseWrittenUrl(url, rules(allow));
  if (refusal === null) expect(found).toBeNull();
  else expect(found).toMatch(refusal);
});
