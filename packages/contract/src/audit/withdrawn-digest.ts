import { digestOfText } from "@svc/text/digest-of";

/** What stands instead of the digest of a report when the decision was withdrawn. */
export const WITHDRAWN_DIGEST = digestOfText("withdrawn");
