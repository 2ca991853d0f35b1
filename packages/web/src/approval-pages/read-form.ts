import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Problem } from "@svc/contract/problem";
import { problem } from "@svc/contract/problem";
import { readRawBody } from "@svc/http-api/request-input";
import { MAX_FORM_BYTES, MAX_LOGIN_FORM_BYTES } from "./form-limits.ts";

const FIELDS = ["action", "token", "key", "reason", "args"] as const;
type Field = (typeof FIELDS)[number];

export type Form =
  | { readonly kind: "form"; readonly fields: Readonly<Partial<Record<Field, string>>> }
  | { readonly kind: "problem"; readonly problem: Problem };

/**
 * Reads a form of this page; a short one only while its sender has not signed in. Fields that the page does
 * not have, repeated ones, and bytes that are not UTF-8 are refused.
 */
export async function readForm(request: IncomingMessage, isSignedIn: boolean): Promise<Form> {
  const maxBytes = isSignedIn ? MAX_FORM_BYTES : MAX_LOGIN_FORM_BYTES;
  const body = await readRawBody(request, ["application/x-www-form-urlencoded"], maxBytes);
  if (body.kind === "problem") return body.problem.code === "body_too_large" ? tooLong(isSignedIn) : body;
  // URLSearchParams would replace what is not UTF-8, here and in its escapes, and the log would hold words
  // that nobody wrote.
  const text = utf8Of(body.value.bytes);
  if (text === null) return refused("expected a form in UTF-8");
  const fields: Partial<Record<Field, string>> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const field = FIELDS.find((known) => known === name);
    if (field === undefined || fields[field] !== undefined)
      return refused("expected the fields of the page, each once");
    fields[field] = value;
  }
  return { kind: "form", fields };
}

/** A login that ends while somebody edits leaves them with a form that is too long for somebody unknown. */
function tooLong(isSignedIn: boolean): Form {
  const detail = isSignedIn
    ? `The form is too long for this page: expected at most ${String(MAX_FORM_BYTES)} bytes as a browser ` +
      "sends them. Nothing was done. The approvals API takes longer arguments."
    : `The form is too long for a login: expected at most ${String(MAX_LOGIN_FORM_BYTES)} bytes. If you ` +
      "sent a decision, the login has ended and nothing was done. Sign in again.";
  return { kind: "problem", problem: problem("body_too_large", detail) };
}

function refused(detail: string): Form {
  return { kind: "problem", problem: problem("invalid_request", detail) };
}

/** The form as text; null when it, or what its escapes stand for, is not UTF-8. */
function utf8Of(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  try {
    decodeURIComponent(text);
    return text;
  } catch {
    return null;
  }
}
