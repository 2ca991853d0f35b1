import { excerpt } from "@svc/text/excerpt";

/** Most characters of a text that an error repeats: enough to recognise it. */
const EXCERPT_LENGTH = 80;

/** What came, for an error: a number or a text as it is, and the kind of anything else. */
export function foundValue(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? excerpt(value, EXCERPT_LENGTH) : typeof value;
}
