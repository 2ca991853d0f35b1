import { utf8Length } from "@svc/text/utf8";
import { unseenFault } from "../fields/name.ts";

/** UTF-8 bytes of the subject of a person: OpenID Connect permits 255 characters. */
export const MAX_PERSON_SUBJECT_BYTES = 256;

/** UTF-8 bytes of the subject of a program: that of GitHub holds names of owner, repository and branch. */
export const MAX_PROGRAM_SUBJECT_BYTES = 1_024;

/** Why rows and lists cannot show the claim `sub`, as one sentence without its end; null: they can. */
export function subjectFault(subject: string, maxBytes: number): string | null {
  const bytes = utf8Length(subject);
  if (bytes > maxBytes) return `the subject has ${String(bytes)} bytes, and ${String(maxBytes)} are the most`;
  const fault = unseenFault(subject);
  return fault === null ? null : `the subject cannot be shown: ${fault}`;
}
