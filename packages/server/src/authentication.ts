import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { DEFAULT_ORG } from "@svc/contract/execute-request";
import { ANONYMOUS, type Principal } from "@svc/contract/principal";
import { type Problem, type ProblemCode, problem } from "@svc/contract/problem";
import { parseApiKey, secretDigest } from "@svc/control-plane/api-key";
import { hostFault, LOOPBACK_HOSTS } from "@svc/http-edge/host-check";
import { singleHeader } from "@svc/http-edge/single-header";
import type { StoredKey } from "@svc/store/ports/key-store";

/** The principal of a request, or why the request is refused. Credentials that cannot be read are refused. */
export type Authentication =
  | { readonly kind: "principal"; readonly principal: Principal }
  | { readonly kind: "problem"; readonly problem: Problem };

export type Authenticate = (request: IncomingMessage) => Authentication;

const BEARER = /^Bearer ([!-~]+)$/i;

const NO_KEY_SENT = "No API key was sent. Send the header Authorization: Bearer <API key>.";

const NOT_A_KEY =
  "The header Authorization does not hold an API key. Send Authorization: Bearer svc_<id>_<secret>.";

const UNKNOWN_KEY =
  "This server does not accept that API key. Compare it with the file admin-key of the data directory, or " +
  "with SVC_BOOTSTRAP_API_KEY.";

/** Used for the comparison when the id is unknown, so that an unknown id takes as long as a wrong secret. */
const NO_KEY = { secretSha256: new Uint8Array(32) };

/** Authenticates by `Authorization: Bearer svc_...`. The organization comes only from the key. */
export function bearerAuthentication(keys: readonly StoredKey[]): Authenticate {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return (request) => {
    const header = singleHeader(request, "authorization");
    if (header.kind === "repeated")
      return refused("invalid_header", "The header Authorization was sent more than once. Send it once.");
    if (header.kind === "absent") return refused("unauthenticated", NO_KEY_SENT);
    const presented = parseApiKey(BEARER.exec(header.value)?.[1] ?? "");
    if (presented === null) return refused("unauthenticated", NOT_A_KEY);
    const key = byId.get(presented.id);
    const matches = timingSafeEqual(secretDigest(presented.secret), (key ?? NO_KEY).secretSha256);
    if (key === undefined || !matches) return refused("unauthenticated", UNKNOWN_KEY);
    return inOrganization(request, { id: key.id, org: key.org });
  };
}

/**
 * Accepts every request, for a server that listens on loopback only. Host must name loopback (DNS rebinding).
 */
export function openAuthentication(): Authenticate {
  return (request) => {
    const fault = hostFault(request, LOOPBACK_HOSTS);
    if (fault !== null) return refused("host_not_allowed", `While authentication is off: ${fault}`);
    return inOrganization(request, { id: ANONYMOUS, org: DEFAULT_ORG });
  };
}

/** X-Svc-Org-Id may repeat the organization of the key, but never choose another. */
function inOrganization(request: IncomingMessage, principal: Principal): Authentication {
  const named = singleHeader(request, "x-svc-org-id");
  if (named.kind === "repeated")
    return refused("invalid_header", "The header X-Svc-Org-Id was sent more than once. Send it once.");
  if (named.kind === "value" && named.value !== principal.org) {
    return refused("org_mismatch", `this key belongs to organization ${principal.org}`);
  }
  return { kind: "principal", principal };
}

function refused(code: ProblemCode, detail: string): Authentication {
  return { kind: "problem", problem: problem(code, detail) };
}
