import { faultReason } from "../connection/fault-reason.ts";

/** Milliseconds that a seam may take to answer: more than the decision timeout that ships. */
const ANSWER_MS = 8_000;

/** Largest part of an answer that is read, in bytes: more than a refusal has. */
const MAX_BYTES = 64 * 1024;

/** What a seam answered, or why no answer came. */
export type SeamAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Headers;
      /** The beginning, as far as it is read. */
      readonly text: string;
    }
  | { readonly kind: "silent"; readonly why: string };

/** Asks a proxy or an adapter as its clients do, without any key. */
export async function askSeam(url: URL, init: RequestInit = {}): Promise<SeamAnswer> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const { status, headers } = response;
    return { kind: "answered", status, headers, text: await beginningOf(response) };
  } catch (error) {
    return { kind: "silent", why: faultReason(error) };
  }
}

/** A stream of events need not end: what came until the deadline counts. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_BYTES || isWholeEvent(text)) break;
    }
  } catch {
    // What came is judged; a deny that is missing from it is not taken for one.
    return text;
  }
  return text;
}

function isWholeEvent(text: string): boolean {
  return /^(?:event|data|id):/m.test(text) && /\r?\n\r?\n/.test(text) && text.includes("data:");
}
