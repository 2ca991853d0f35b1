import type { ProblemCode } from "@svc/contract/problem";
import type { RouteDefinition } from "./route.ts";

/** Every problem code that a route can answer: its own, and those that follow from what it takes. */
export function problemsOf(route: RouteDefinition): readonly ProblemCode[] {
  const codes: ProblemCode[] = ["invalid_target", "invalid_header", "headers_too_large", "internal_error"];
  codes.push("invalid_request");
  if (route.access.kind !== "anybody") codes.push("unauthenticated", "org_mismatch", "unavailable");
  codes.push("host_not_allowed");
  if (route.access.kind === "scope") codes.push("forbidden");
  if (route.rateClass !== "unlimited") codes.push("too_many_requests");
  if (route.body !== null) codes.push("unsupported_media_type", "body_too_large", "request_timeout");
  if (route.body?.kind === "json") codes.push("malformed_json");
  if (route.idempotency === "answer")
    codes.push("request_in_flight", "outcome_unknown", "idempotency_key_reused", "limit_reached", "conflict");
  return [...new Set([...codes, ...route.problems])];
}
