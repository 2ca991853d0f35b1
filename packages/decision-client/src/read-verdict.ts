import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { parseVerdict } from "@svc/contract/parse-verdict";
import { parseStrictJson } from "@svc/contract/strict-json";
import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { GatewayAnswer } from "./answer-reader.ts";

/**
 * Reads a verdict out of an answer. Everything but a 200 with exactly one readable verdict is a flagged deny.
 */
export function readVerdict({ status, headers, body }: GatewayAnswer): Verdict {
  if (status < 200 || status > 299) return refused(status);
  if (status !== 200) return unreadable(`status ${status} instead of 200`);
  if (!isJson(headers["content-type"])) return unreadable("a body that is not application/json");
  if (!isIdentity(headers["content-encoding"])) return unreadable("an encoded body");
  if (body === null) return unreadable(`more than ${MAX_VERDICT_BYTES} bytes`);
  const document = parseStrictJson(body, MAX_VERDICT_BYTES);
  if (!document.ok) return unreadable("a body that is not strict JSON");
  const verdict = parseVerdict(document.value);
  return verdict.ok ? verdict.value : unreadable("JSON that is not a verdict");
}

function refused(status: number): DenyVerdict {
  const because =
    status === 401 || status === 403 ? "it refused the API key or what that key asked for" : "no verdict";
  return failClosedDeny("gateway_refused", `The gateway answered with status ${status}: ${because}.`);
}

function unreadable(what: string): DenyVerdict {
  return failClosedDeny(
    "verdict_unreadable",
    `The gateway answered with ${what}, which is no readable verdict.`,
  );
}

function isJson(contentType: string | readonly string[] | undefined): boolean {
  if (typeof contentType !== "string") return false;
  const [mediaType = ""] = contentType.split(";", 1);
  return mediaType.trim().toLowerCase() === "application/json";
}

function isIdentity(contentEncoding: string | readonly string[] | undefined): boolean {
  return contentEncoding === undefined || contentEncoding === "identity";
}
