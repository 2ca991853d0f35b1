import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { parseVerdict } from "@svc/contract/parse-verdict";
import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { JsonValue } from "@svc/text/json-value";
import { isRequestId } from "./request-names.ts";

/** The parts of an answer that decide. */
export interface VerdictAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Null when it is too long, or when the status is not 200. */
  readonly body: Uint8Array | null;
}

/** A reader of strict JSON: of one value, of which every reader reads the same. */
export type ReadJson = (
  body: Uint8Array,
) => { readonly ok: true; readonly value: JsonValue } | { readonly ok: false };

/** Who was asked, as the reasons of denies name it. */
export interface Answerer {
  readonly name: string;
  /** What it refuses with a 401 or a 403. */
  readonly refuses: string;
}

export const GATEWAY: Answerer = { name: "The gateway", refuses: "the API key or what that key asked for" };

/**
 * Reads a verdict out of an answer, with a reader of strict JSON. Everything but a 200 with exactly one
 * readable verdict becomes a deny with `fail_closed`.
 */
export function judgeAnswer(
  { status, headers, body }: VerdictAnswer,
  who: Answerer,
  readJson: ReadJson,
): Verdict {
  if (status < 200 || status > 299) return refused(status, headers, who);
  if (status !== 200) return unreadable(who, `status ${status} instead of 200`);
  if (!isJson(headers["content-type"])) return unreadable(who, "a body that is not application/json");
  if (!isIdentity(headers["content-encoding"])) return unreadable(who, "an encoded body");
  if (body === null) return unreadable(who, `more than ${MAX_VERDICT_BYTES} bytes`);
  const document = readJson(body);
  if (!document.ok) return unreadable(who, "a body that is not strict JSON");
  const verdict = parseVerdict(document.value);
  return verdict.ok ? verdict.value : unreadable(who, "JSON that is not a verdict");
}

function refused(status: number, headers: VerdictAnswer["headers"], who: Answerer): DenyVerdict {
  const because = status === 401 || status === 403 ? `it refused ${who.refuses}` : "no verdict";
  const answered = `${who.name} answered with status ${status}: ${because}`;
  return failClosedDeny("gateway_refused", `${answered}${requestIn(headers["x-request-id"])}.`);
}

function unreadable({ name }: Answerer, what: string): DenyVerdict {
  const reason = `${name} answered with ${what}, which is not a readable verdict.`;
  return failClosedDeny("verdict_unreadable", reason);
}

function requestIn(id: string | readonly string[] | undefined): string {
  return typeof id === "string" && isRequestId(id) ? ` (request ${id})` : "";
}

function isJson(contentType: string | readonly string[] | undefined): boolean {
  if (contentType === "application/json") return true;
  if (typeof contentType !== "string") return false;
  const [mediaType = ""] = contentType.split(";", 1);
  return mediaType.trim().toLowerCase() === "application/json";
}

function isIdentity(contentEncoding: string | readonly string[] | undefined): boolean {
  return contentEncoding === undefined || contentEncoding === "identity";
}
