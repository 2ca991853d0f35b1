import { MAX_REMEMBERED_ANSWER_BYTES } from "@svc/contract/limits";
import { problem } from "@svc/contract/problem";
import type { RememberedAnswer } from "@svc/store/ports/request-key-store";
import type { AnyReply, TextReply } from "../routes/handler.ts";

/** Members of answers that are shown once: a new API key, a new signing secret. */
const SECRET_MEMBERS = ["key", "secret"];

const WITHOUT_SECRET =
  "This request was carried out before. The secret stood in its first answer alone, because it is not " +
  "stored. If that answer was lost, rotate the secret.";

/** An answer as it is stored for repeats: without secrets, and without a body that is too long. */
export function rememberedAnswer(reply: Extract<AnyReply, { kind: "json" | "text" }>): RememberedAnswer {
  const { status, headers = {} } = reply;
  const mediaType = reply.kind === "json" ? "application/json" : reply.mediaType;
  const text = reply.kind === "json" ? JSON.stringify(withoutSecrets(reply.body)) : reply.text;
  const bytes = new TextEncoder().encode(text);
  const body = bytes.length > MAX_REMEMBERED_ANSWER_BYTES ? null : bytes;
  return { status, headers: { ...headers, "content-type": mediaType }, body };
}

/** The same answer again. */
export function repeatedReply({ status, headers, body }: RememberedAnswer): AnyReply {
  const { "content-type": mediaType = "application/json", ...others } = headers;
  if (body === null) return tooLong(status, headers["location"]);
  const text = new TextDecoder().decode(body);
  const reply: TextReply = { kind: "text", status, mediaType, text, headers: others };
  return reply;
}

function withoutSecrets(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const shown = Object.entries(body).filter(([name]) => !SECRET_MEMBERS.includes(name));
  if (shown.length === Object.keys(body).length) return body;
  return { ...Object.fromEntries(shown), kind: "repeated", detail: WITHOUT_SECRET };
}

function tooLong(status: number, location: string | undefined): AnyReply {
  const where = location === undefined ? "the resource" : location;
  const detail =
    `This request was carried out before and answered with ${String(status)}. ` +
    `Its answer was too long to be stored. Read ${where} instead of repeating the request.`;
  return { kind: "problem", problem: problem("conflict", detail) };
}
