import { timingSafeEqual } from "node:crypto";
import { DEFAULT_ORG } from "@svc/contract/execute-request";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { ANONYMOUS, type Principal, unboundAdmin } from "@svc/contract/principal";
import { NOTHING_CHANGED, type Problem, type ProblemCode, problem } from "@svc/contract/problem";
import type { FollowedState } from "@svc/control-feed/control-follower";
import { parseApiKey, secretDigest } from "@svc/control-plane/api-key";
import { hostFault, LOOPBACK_HOSTS } from "@svc/http-edge/host-check";
import { type HeadText, ofHead, type RequestHead } from "@svc/http-edge/request-head";
import { singleHeader } from "@svc/http-edge/single-header";
import type { WallClock } from "@svc/process/clock";
import type { AcceptedSecret, KeyIndex } from "./key-index.ts";

/** The principal of a request, or why the request is refused. Credentials that cannot be read are refused. */
export type Authentication =
  | {
      readonly kind: "principal";
      readonly principal: Principal;
      /**
       * Why the key may not act any more; null while it may. A request takes time: a body arrives slowly, a
       * row is written. Ask again before what the request asks for takes place.
       */
      readonly refusal: () => Problem | null;
    }
  | { readonly kind: "problem"; readonly problem: Problem };

export type Authenticate = (request: RequestHead) => Authentication;

/** The two checks of credentials. They differ only while control state is not verified. */
export interface Authenticators {
  /** Refuses every key while it is not known whether the key was revoked meanwhile. */
  readonly verified: Authenticate;
  /**
   * Takes a key as it was last known, for a route that denies by itself while control state is not verified.
   * `refusal` still refuses: it decides before anything is allowed.
   */
  readonly lastKnown: Authenticate;
  /** The check `verified` for a key that did not come in a header. */
  readonly key: (text: string) => Authentication;
}

const BEARER = /^Bearer ([!-~]+)$/i;

const NO_KEY_SENT = "No API key was sent. Send the header Authorization: Bearer <API key>.";

const NOT_A_KEY =
  "The header Authorization does not hold an API key. Send Authorization: Bearer svc_<id>_<secret>.";

const NOT_A_KEY_TEXT = "That is not an API key. Enter svc_<id>_<secret>.";

const UNKNOWN_KEY =
  "This server does not accept that API key: its id is unknown, its secret is wrong, or it was revoked. " +
  "Compare it with the answer that created it, with the file admin-key of the data directory, or with " +
  "SVC_BOOTSTRAP_API_KEY.";

const UNVERIFIED =
  "The store has not answered for over 1,500 ms, so this server cannot know that the key was not revoked, " +
  `and takes none. ${NOTHING_CHANGED}. Try again when GET /readyz answers 200.`;

/** Compared with when nothing was found, so that a miss takes as long as a hit. */
const NO_DIGEST = Buffer.from("0".repeat(64));

export interface BearerParts {
  readonly keys: Pick<KeyIndex, "find">;
  readonly followed: Pick<FollowedState, "ageMs">;
  readonly clock: WallClock;
}

/** Authenticates by `Authorization: Bearer svc_...`. The organization comes only from the key. */
export function bearerAuthentication(parts: BearerParts): Authenticators {
  const lastKnown: Authenticate = (request) => {
    const sent = ofHead(request, readSentKey);
    if (sent.kind === "problem") return sent;
    const judged = judgeSent(parts, sent);
    return judged.kind === "problem" ? judged : inOrganization(request, judged.principal, judged.refusal);
  };
  const verified: Authenticate = (request) => {
    const known = lastKnown(request);
    return known.kind === "principal" && !isVerified(parts) ? refused("unavailable", UNVERIFIED) : known;
  };
  const key = (text: string): Authentication => {
    const sent = parseSentKey(text, NOT_A_KEY_TEXT);
    const known = sent.kind === "problem" ? sent : judgeSent(parts, sent);
    return known.kind === "principal" && !isVerified(parts) ? refused("unavailable", UNVERIFIED) : known;
  };
  return { lastKnown, verified, key };
}

type SentKeyInput = SentKey | { readonly kind: "problem"; readonly problem: Problem };

/** The key that a request presents. The text of its head alone says which. */
function readSentKey(text: HeadText): SentKeyInput {
  const header = singleHeader(text, "authorization");
  if (header.kind === "repeated")
    return refused("invalid_header", "The header Authorization was sent more than once. Send it once.");
  if (header.kind === "absent") return refused("unauthenticated", NO_KEY_SENT);
  return parseSentKey(BEARER.exec(header.value)?.[1] ?? "", NOT_A_KEY);
}

function parseSentKey(text: string, otherwise: string): SentKeyInput {
  const presented = parseApiKey(text);
  if (presented === null) return refused("unauthenticated", otherwise);
  const digest = secretDigest(presented.secret);
  return { kind: "sent", id: presented.id, digest, digestBytes: Buffer.from(digest) };
}

function judgeSent(parts: BearerParts, sent: SentKey): Authentication {
  const judged = judge(parts, sent);
  if (judged.kind === "problem") return judged;
  return { ...judged, refusal: () => refusalOf(parts, sent) };
}

/** The secret itself is not kept. */
interface SentKey {
  readonly kind: "sent";
  readonly id: string;
  readonly digest: string;
  readonly digestBytes: Buffer;
}

type Judged =
  | { readonly kind: "principal"; readonly principal: Principal }
  | { readonly kind: "problem"; readonly problem: Problem };

function judge({ keys, clock }: BearerParts, { id, digest, digestBytes }: SentKey): Judged {
  const found = keys.find(id, digest);
  const matches = timingSafeEqual(digestBytes, found?.digestBytes ?? NO_DIGEST);
  if (found === undefined || !matches) return refused("unauthenticated", UNKNOWN_KEY);
  const ended = refuseEnded(found, clock);
  return ended === null
    ? { kind: "principal", principal: found.principal }
    : { kind: "problem", problem: ended };
}

function refuseEnded({ principal, endsAtMs }: AcceptedSecret, clock: WallClock): Problem | null {
  if (endsAtMs === Number.POSITIVE_INFINITY || clock.now().getTime() < endsAtMs) return null;
  const end = new Date(endsAtMs).toISOString();
  return problem("unauthenticated", `This secret of key ${principal.id} ended at ${end}. Use a newer one.`);
}

/** For a secret that was compared before. The key comes first: its holder learns that it was revoked. */
function refusalOf(parts: BearerParts, { id, digest }: SentKey): Problem | null {
  const found = parts.keys.find(id, digest);
  if (found === undefined) return problem("unauthenticated", UNKNOWN_KEY);
  return refuseEnded(found, parts.clock) ?? (isVerified(parts) ? null : problem("unavailable", UNVERIFIED));
}

function isVerified({ followed }: BearerParts): boolean {
  return followed.ageMs <= CONTROL_LEASE_MS;
}

const loopbackFault = (text: HeadText) => hostFault(text, LOOPBACK_HOSTS);

const readNamedOrg = (text: HeadText) => singleHeader(text, "x-svc-org-id");

const ANYBODY = unboundAdmin({ id: ANONYMOUS, org: DEFAULT_ORG });

/**
 * Accepts every request, for a server that listens on loopback only. Host must name loopback (DNS rebinding).
 */
export function openAuthentication(): Authenticators {
  const authenticate: Authenticate = (request) => {
    const fault = ofHead(request, loopbackFault);
    if (fault !== null) return refused("host_not_allowed", `While authentication is off: ${fault}`);
    return inOrganization(request, ANYBODY, () => null);
  };
  const key = (): Authentication => ({ kind: "principal", principal: ANYBODY, refusal: () => null });
  return { verified: authenticate, lastKnown: authenticate, key };
}

/** X-Svc-Org-Id may repeat the organization of the key, but never choose another. */
function inOrganization(
  request: RequestHead,
  principal: Principal,
  refusal: () => Problem | null,
): Authentication {
  const named = ofHead(request, readNamedOrg);
  if (named.kind === "repeated")
    return refused("invalid_header", "The header X-Svc-Org-Id was sent more than once. Send it once.");
  if (named.kind === "value" && named.value !== principal.org) {
    return refused("org_mismatch", `this key belongs to organization ${principal.org}`);
  }
  return { kind: "principal", principal, refusal };
}

function refused(code: ProblemCode, detail: string): { readonly kind: "problem"; readonly problem: Problem } {
  return { kind: "problem", problem: problem(code, detail) };
}
