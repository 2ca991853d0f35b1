/**
 * Every error code of the HTTP API with its status and title: closed list,
 * RFC 9457 `application/problem+json`.
 */
export const PROBLEMS = {
  malformed_json: { status: 400, title: "The body is not strict JSON" },
  invalid_request: { status: 400, title: "The request does not have the expected form" },
  invalid_header: { status: 400, title: "A request header is malformed or repeated" },
  invalid_target: { status: 400, title: "The request target or Host is malformed" },
  unauthenticated: { status: 401, title: "A valid API key is required" },
  token_refused: { status: 401, title: "No trust rule admits the token" },
  forbidden: { status: 403, title: "This key or client may not do that" },
  org_mismatch: { status: 403, title: "X-Svc-Org-Id names another organization than the key" },
  host_not_allowed: { status: 403, title: "The Host header does not name this server" },
  not_found: { status: 404, title: "The resource does not exist" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "The request did not arrive in time" },
  conflict: { status: 409, title: "The request conflicts with the present state" },
  agent_already_bound: { status: 409, title: "The agent or namespace already has an active policy" },
  idempotency_conflict: { status: 409, title: "The Idempotency-Key was used with another body" },
  request_in_flight: { status: 409, title: "The same request is being carried out" },
  outcome_unknown: { status: 409, title: "It is not known whether the same request was carried out" },
  version_moved: { status: 412, title: "The resource has changed since it was read" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The media type or content coding is not supported" },
  invalid_policy: { status: 422, title: "The policy document was refused" },
  idempotency_key_reused: { status: 422, title: "The Idempotency-Key was used with another request" },
  too_much_work: { status: 422, title: "The request needs more work than one request may take" },
  limit_reached: { status: 422, title: "A limit of this organization is reached" },
  headers_too_large: { status: 431, title: "The request headers are too large" },
  too_many_requests: { status: 429, title: "This caller or agent has too much in flight" },
  internal_error: { status: 500, title: "The server failed" },
  overloaded: { status: 503, title: "Too many requests are in flight" },
  unavailable: { status: 503, title: "The store is unavailable" },
  issuer_unavailable: { status: 503, title: "The identity provider does not answer" },
  compiler_unavailable: { status: 503, title: "Policy documents cannot be checked now" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Where every server explains its codes, and what stands before a problem code in the id of its place. */
export const CODES_PAGE = "/docs/reasons";
export const PROBLEM_PREFIX = "problem-";

/** Stands in `detail` of a fault that came before anything was done. Programs may rely on it. */
export const NOTHING_CHANGED = "Nothing was changed";

/** One fault of the request: where, what was expected, what came. */
export interface ProblemEntry {
  /** RFC 6901 pointer into the body, or the name of a header or query parameter. */
  readonly pointer: string;
  readonly expected: string;
  readonly found: string;
  /** What to send instead, where that is known. */
  readonly fix?: string;
  /** Further members, such as those of a policy diagnostic. */
  readonly [member: string]: unknown;
}

/** An error answer in its wire form. Never carries secrets, policy text or stack traces. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly request_id?: string;
  readonly errors?: readonly ProblemEntry[];
}

export function problem(
  code: ProblemCode,
  detail: string,
  extra: { readonly errors?: readonly ProblemEntry[]; readonly request_id?: string } = {},
): Problem {
  const { status, title } = PROBLEMS[code];
  return { type: `${CODES_PAGE}#${PROBLEM_PREFIX}${code}`, title, status, code, detail, ...extra };
}
