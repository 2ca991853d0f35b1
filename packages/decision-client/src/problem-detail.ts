import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";

/** Most bytes of a problem that are read. The service sends less than 4 kB. */
export const MAX_PROBLEM_BYTES = 16 * 1024;

/** Milliseconds for the body of a refusal. Its status decides, so its text is not worth a long wait. */
export const PROBLEM_TIMEOUT_MS = 500;

/** Most characters of a detail that are repeated: some sentences. */
const MAX_DETAIL_LENGTH = 300;

/** Line breaks and other characters without a shape, which could make a reason look like two. */
const UNSHOWN = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The head of an answer, with headers by lower-case name. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Whether the body of an answer is a problem that can be read. */
export function isProblem({ status, contentType, contentEncoding }: AnswerHead): boolean {
  const isTyped = /^application\/problem\+json *(;|$)/i.test(contentType ?? "");
  return status >= 400 && status <= 499 && isTyped && (contentEncoding ?? "identity") === "identity";
}

/** Why a request was refused, in the words of the gateway; null when the problem says nothing readable. */
export function problemDetail(problem: Uint8Array): string | null {
  const document = parseStrictJsonText(new TextDecoder().decode(problem), MAX_PROBLEM_BYTES);
  const detail = document.ok && isJsonObject(document.value) ? document.value["detail"] : null;
  return typeof detail === "string" ? shownDetail(detail) : null;
}

function shownDetail(detail: string): string | null {
  const shown = Array.from(detail.replace(UNSHOWN, " ").trim());
  if (shown.length === 0) return null;
  const isLong = shown.length > MAX_DETAIL_LENGTH;
  return isLong ? `${shown.slice(0, MAX_DETAIL_LENGTH - 3).join("")}...` : shown.join("");
}
