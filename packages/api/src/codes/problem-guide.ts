import type { ProblemCode } from "@svc/contract/problem";
import type { CodeGuide } from "./code-guide.ts";

/** Every problem code. */
export const PROBLEM_GUIDE: Readonly<Record<ProblemCode, CodeGuide>> = {
  malformed_json: {
    meaning: "The body is not strict JSON: duplicate keys, comments and trailing commas are refused",
    remedy: "`detail` has line and column",
  },
  invalid_request: {
    meaning: "A field, query parameter or cursor is missing, unknown or has the wrong form",
    remedy: "`errors` lists each with what was expected",
  },
  invalid_header: {
    meaning: "A header is malformed or repeated",
    remedy: "Send it once",
  },
  invalid_target: {
    meaning: "The path or Host is malformed",
    remedy: "Send one Host header and a plain path",
  },
  unauthenticated: {
    meaning: "The API key is missing, unknown, revoked or past its end",
    remedy: "Send `Authorization: Bearer` with the key",
  },
  token_refused: {
    meaning: "No trust rule of the organization admits the token, or its signature or time does not hold",
    remedy:
      "Compare the claims that `detail` shows with `GET trust-rules`; the log says which rule refused what",
  },
  forbidden: {
    meaning: "This key or client may not do that",
    remedy: "Use another key; a web page cannot use an adapter",
  },
  org_mismatch: {
    meaning: "`X-Svc-Org-Id` names another organization than the key",
    remedy: "Remove the header",
  },
  host_not_allowed: {
    meaning: "The Host header does not name this server",
    remedy: "Use the address that the server listens on, or allow the name",
  },
  not_found: {
    meaning: "The route or the resource does not exist",
    remedy: "`detail` names the missing resource, or a route with a similar path",
  },
  method_not_allowed: {
    meaning: "The route has other methods",
    remedy: "`Allow` lists them",
  },
  request_timeout: {
    meaning: "The request did not arrive in time",
    remedy: "Send it again",
  },
  conflict: {
    meaning: "The request conflicts with the present state",
    remedy: "`detail` says with what",
  },
  agent_already_bound: {
    meaning: "The agent or namespace has a policy already",
    remedy: "Remove that assignment first; `detail` names it",
  },
  idempotency_conflict: {
    meaning: "The `Idempotency-Key` was used with a different body before",
    remedy: "Use a new key for a new request",
  },
  request_in_flight: {
    meaning: "A request with this `Idempotency-Key` is being carried out",
    remedy: "Repeat it after the seconds in `Retry-After`",
  },
  outcome_unknown: {
    meaning: "A request with this `Idempotency-Key` began and has no answer",
    remedy: "Look whether it took effect. Repeat it with a new key only if it did not",
  },
  version_moved: {
    meaning: "The policy has changed since it was read",
    remedy: "Read it again, then decide",
  },
  body_too_large: {
    meaning: "The body or its audit row is too large",
    remedy: "Send less",
  },
  unsupported_media_type: {
    meaning: "The media type or content coding is not accepted",
    remedy: "`detail` names the accepted ones",
  },
  invalid_policy: {
    meaning: "The policy document was refused",
    remedy: "`errors` lists every finding with a fix",
  },
  idempotency_key_reused: {
    meaning: "The `Idempotency-Key` was used with a different control request before",
    remedy: "Use a new key for a new request",
  },
  too_much_work: {
    meaning: "A simulation explains too much or takes too long, or a GraphQL question is above a limit",
    remedy: "Send fewer calls or smaller arguments; ask for fewer fields or nodes. `detail` says how many",
  },
  limit_reached: {
    meaning: "A limit of the organization is reached",
    remedy: "`detail` names it",
  },
  too_many_requests: {
    meaning: "This caller or agent has too many calls or bytes in flight",
    remedy: "Wait for answers. See `Retry-After`",
  },
  headers_too_large: {
    meaning: "The request headers are too large",
    remedy: "Send fewer or shorter headers",
  },
  internal_error: {
    meaning: "The server failed",
    remedy: "Search the log for the `request_id`",
  },
  overloaded: {
    meaning: "Too many calls or bytes are in flight",
    remedy: "Retry after `Retry-After` seconds",
  },
  unavailable: {
    meaning: "The store does not answer. `detail` says what that means for the request",
    remedy: "Repeat the request if `detail` says that this is safe",
  },
  issuer_unavailable: {
    meaning:
      "The keys of an identity provider could not be read, or not so soon, so its token proves nothing now",
    remedy: "Try again; API keys work meanwhile. The log says what the provider answered",
  },
  compiler_unavailable: {
    meaning: "The thread that reads policy documents failed or is late; nothing was changed",
    remedy: "Repeating is safe. The log has the cause",
  },
};
