import type { IncomingMessage } from "node:http";
import { MAX_BODY_BYTES } from "@svc/contract/limits";
import type { Problem } from "@svc/contract/problem";
import { problem } from "@svc/contract/problem";
import { readRawBody } from "../request-input.ts";

/** Bytes of a form: arguments of the largest call, of which each byte takes three in a form. */
const MAX_FORM_BYTES = 4 * MAX_BODY_BYTES;

const FIELDS = ["action", "token", "key", "reason", "args"] as const;
type Field = (typeof FIELDS)[number];

export type Form =
  | { readonly kind: "form"; readonly fields: Readonly<Partial<Record<Field, string>>> }
  | { readonly kind: "problem"; readonly problem: Problem };

/** Reads a form of this page. Fields that it does not have, and repeated ones, are refused. */
export async function readForm(request: IncomingMessage): Promise<Form> {
  const body = await readRawBody(request, ["application/x-www-form-urlencoded"], MAX_FORM_BYTES);
  if (body.kind === "problem") return body;
  const fields: Partial<Record<Field, string>> = {};
  for (const [name, value] of new URLSearchParams(body.value.bytes.toString("utf8"))) {
    const field = FIELDS.find((known) => known === name);
    if (field === undefined || fields[field] !== undefined)
      return {
        kind: "problem",
        problem: problem("invalid_request", "expected the fields of the page, each once"),
      };
    fields[field] = value;
  }
  return { kind: "form", fields };
}

/**
 * Whether a page of another origin sent the form. Without a referrer a browser sends `Origin: null`; then
 * `Sec-Fetch-Site`, which no page can set, and the token of the form decide.
 */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return true;
  const { origin } = headers;
  if (origin === undefined || origin === "null") return false;
  const url = URL.parse(origin);
  return url === null || url.host === "" || url.host !== headers.host?.toLowerCase();
}
