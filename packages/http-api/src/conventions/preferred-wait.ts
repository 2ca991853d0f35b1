import type { HeadText } from "@svc/http-edge/request-head";

const WAIT = /^wait\s*=\s*"?(?<seconds>[0-9]{1,6})"?\s*$/i;

/**
 * Milliseconds of `Prefer: wait=<s>` (RFC 7240), at most `maxSeconds`; 0 without it. A preference that cannot
 * be read is ignored, as the RFC asks.
 */
export function preferredWait({ headers }: Pick<HeadText, "headers">, maxSeconds: number): number {
  const prefer = headers["prefer"];
  if (prefer === undefined) return 0;
  const text = Array.isArray(prefer) ? prefer.join(",") : prefer;
  for (const preference of text.split(/[,;]/)) {
    const seconds = WAIT.exec(preference.trim())?.groups?.["seconds"];
    if (seconds !== undefined) return Math.min(Number(seconds), maxSeconds) * 1_000;
  }
  return 0;
}
