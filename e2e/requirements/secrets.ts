import { type Requirement, tested } from "./requirement.ts";

/** Secrets that must be readable to be used. */
export const secretRequirements: readonly Requirement[] = [
  tested("SECR-01", "A stored secret is encrypted with AES-256-GCM, with a key for each organization."),
  tested("SECR-02", "A stored secret opens at its own place alone, and not after a change."),
  tested(
    "SECR-03",
    "A start that finds encrypted secrets without their key is refused, and says what to do.",
  ),
  tested("SECR-04", "Secrets are rotated by a command to new keys, and the old key opens nothing any more."),
  tested("SECR-05", "An embedded store makes its key in a file that its own user alone may read."),
  tested("SECR-06", "A stored secret stands in no log, row, export, answer or file of the data directory."),
];
