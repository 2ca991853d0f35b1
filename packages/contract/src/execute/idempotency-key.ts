/**
 * 1 to 128 visible ASCII characters: what fits one header value everywhere and survives
 * every proxy unchanged.
 */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** What an idempotency key must be, for the people who read a refusal. */
export const IDEMPOTENCY_KEY_EXPECTATION = "1 to 128 visible ASCII characters without spaces";

/** Whether the text may travel as `Idempotency-Key`. */
export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY.test(text);
}
