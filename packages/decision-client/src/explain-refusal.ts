import type { DenyVerdict } from "@svc/contract/verdict";
import type { GatewayAnswer } from "./answer-reader.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { problemDetail } from "./problem-detail.ts";
import { denyRefused } from "./refused-answer.ts";

/** The deny for an answer outside 2xx, with what the gateway said and how to mend it. */
export function explainRefusal(
  { status, headers, body }: GatewayAnswer,
  { gatewayUrl, apiKey }: DecisionClientSettings,
): DenyVerdict {
  const requestId = headers["x-request-id"];
  const client = { path: gatewayUrl.pathname.replace(/\/+$/, ""), apiKey };
  const { hint, ...deny } = denyRefused(client, {
    status,
    requestId: typeof requestId === "string" ? requestId : null,
    detail: body === null ? null : problemDetail(body),
  });
  // The one who set the key reads the reason here.
  return hint === undefined ? deny : { ...deny, reason: `${deny.reason} ${hint}` };
}
