import { type Requirement, tested } from "./requirement.ts";

/** Guardrails: named sets of detectors that policies share. */
export const guardrailRequirements: readonly Requirement[] = [
  tested("DSET-01", "detects and redact take guardrail.<id>, which finds all that is part of the guardrail."),
  tested(
    "DSET-02",
    "A policy that names a guardrail that does not exist is refused at its place, with the nearest name.",
  ),
  tested(
    "DSET-03",
    "A policy whose guardrail is missing or cannot be searched restricts; it is never left out.",
  ),
  tested(
    "DSET-04",
    "A gateway gets each policy with its guardrails in it, so that nothing else comes first.",
  ),
  tested(
    "DSET-05",
    "A guardrail is refused whose pattern is not RE2, finds the empty text or fails its texts.",
  ),
  tested("DSET-06", "A guardrail is tried on a text, of which nothing is stored, logged or repeated."),
  tested(
    "DSET-07",
    "A change of a guardrail is a version of every policy that uses it, in one transaction or not at all.",
  ),
  tested(
    "DSET-08",
    "A guardrail in use is not removed, and nothing brings a removed or an old one into force.",
  ),
  tested(
    "DSET-09",
    "Files name guardrails of guardrails.yaml, so that policies are judged without a server.",
  ),
  tested(
    "DSET-10",
    "A change of a guardrail warns of a pattern without must_match and of one that finds ordinary sentences.",
  ),
];
