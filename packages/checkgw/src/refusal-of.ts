import type { IncomingMessage } from "node:http";
import type { ProblemCode } from "@svc/contract/problem";
import { type AllowedHosts, browserFault, hostFault } from "@svc/http-edge/host-check";
import { looksLikeAuthHook } from "./looks-like-auth-hook.ts";
import type { Place } from "./place.ts";

/** Why requests are refused before a call is read out of them; the names are labels of a metric. */
export const REFUSAL_CAUSES = [
  "host",
  "browser",
  "query",
  "auth_hook",
  "method",
  "unmatched",
  "frame",
] as const;
export type RefusalCause = (typeof REFUSAL_CAUSES)[number];

/** A request that is refused without a question to the gateway. */
export interface RequestRefusal {
  readonly cause: RefusalCause;
  readonly code: ProblemCode;
  /** One sentence for an operator, with what to do. */
  readonly reason: string;
}

/**
 * Why a request is refused at this place; null when it is accepted. Every place checks Host. /verdict and the
 * webhooks refuse pages in a browser and queries. At /check both belong to the proxy's own client.
 */
export function refusalOf(
  request: IncomingMessage,
  place: Place,
  allowedHosts: AllowedHosts,
): RequestRefusal | null {
  const foreignHost = hostFault(request, allowedHosts);
  if (foreignHost !== null) return { cause: "host", code: "host_not_allowed", reason: foreignHost };
  switch (place.kind) {
    case "check":
      return null;
    case "verdict":
    case "guardrail":
      return refusalOfQuestion(request, place.kind);
    case "healthz":
      return refusalOfMethod(request, ["GET", "HEAD"]);
    case "unmatched":
      return {
        cause: "unmatched",
        code: "not_found",
        reason: "This adapter serves /check, /verdict, /guardrail and /healthz.",
      };
  }
}

function refusalOfQuestion(request: IncomingMessage, kind: "verdict" | "guardrail"): RequestRefusal | null {
  const method = refusalOfMethod(request, ["POST"]);
  if (method !== null) return method;
  const { url = "", headers } = request;
  if (url.includes("?"))
    return {
      cause: "query",
      code: "invalid_request",
      reason: "Expected no query, because this path has no parameters.",
    };
  const browser = browserFault(request);
  if (browser !== null) return { cause: "browser", code: "forbidden", reason: browser };
  if (kind === "guardrail" || !looksLikeAuthHook(headers)) return null;
  const reason = "An auth hook must ask /check: this path answers 200 to a deny.";
  return { cause: "auth_hook", code: "forbidden", reason };
}

function refusalOfMethod(
  { method = "" }: IncomingMessage,
  expected: readonly string[],
): RequestRefusal | null {
  if (expected.includes(method)) return null;
  return { cause: "method", code: "method_not_allowed", reason: `Ask with ${expected[0] ?? ""}.` };
}
