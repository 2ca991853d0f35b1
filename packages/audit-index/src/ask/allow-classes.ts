import { DECISIONS, type Decision } from "@svc/contract/verdict";
import { nameDigest } from "../database/name-digest.ts";
import { className } from "../fill/entry-of.ts";

/** The classes of allowed calls of an organization, whatever enforcement would have said. */
export function allowClasses(org: string): readonly number[] {
  return classesOf(org, ["allow"]);
}

/** The classes of all decisions of an organization. */
export function decisionClasses(org: string): readonly number[] {
  return classesOf(org, DECISIONS);
}

function classesOf(org: string, decisions: readonly Decision[]): readonly number[] {
  return decisions.flatMap((decision) =>
    [null, ...DECISIONS].map((wouldBe) => nameDigest("class", org, className("decision", decision, wouldBe))),
  );
}
