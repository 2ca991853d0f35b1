import { isJsonObject } from "@svc/contract/json-value";
import { parseStrictJsonText } from "@svc/contract/strict-json-text";
import { readBody } from "./read-body.ts";

/** Most bytes of a problem that are read. The service sends less than 4 kB. */
const MAX_PROBLEM_BYTES = 16 * 1024;

/** Milliseconds for the body of a refusal. Its status decides, so its text is not worth a long wait. */
const PROBLEM_TIMEOUT_MS = 500;

/** Most characters of a detail that are repeated: some sentences. */
const MAX_DETAIL_LENGTH = 300;

/** Line breaks and other characters without a shape, which could make a reason look like two. */
const UNSHOWN = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Why a request was refused, in the words of the gateway; null when it said nothing readable in time. */
export async function readProblem(answer: Response): Promise<string | null> {
  const { status, headers } = answer;
  const isProblem = /^application\/problem\+json *(;|$)/i.test(headers.get("content-type") ?? "");
  const isPlain = (headers.get("content-encoding") ?? "identity") === "identity";
  if (status < 400 || status > 499 || !isProblem || !isPlain) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PROBLEM_TIMEOUT_MS);
  });
  const read = readBody(answer, MAX_PROBLEM_BYTES).catch(() => null);
  const bytes = await Promise.race([read, late]);
  clearTimeout(timer);
  return bytes === null ? null : detailOf(bytes);
}

function detailOf(bytes: Uint8Array): string | null {
  const document = parseStrictJsonText(new TextDecoder().decode(bytes), MAX_PROBLEM_BYTES);
  const detail = document.ok && isJsonObject(document.value) ? document.value["detail"] : null;
  return typeof detail === "string" ? shownDetail(detail) : null;
}

function shownDetail(detail: string): string | null {
  const shown = Array.from(detail.replace(UNSHOWN, " ").trim());
  if (shown.length === 0) return null;
  const isLong = shown.length > MAX_DETAIL_LENGTH;
  return isLong ? `${shown.slice(0, MAX_DETAIL_LENGTH - 3).join("")}...` : shown.join("");
}
