import { DECISIONS } from "@svc/contract/verdict";
import { className } from "./entry-of.ts";
import { nameDigest } from "./name-digest.ts";

/** The classes of allowed calls of an organization, whatever enforcement would have said. */
export function allowClasses(org: string): readonly number[] {
  return [null, ...DECISIONS].map((wouldBe) =>
    nameDigest("class", org, className("decision", "allow", wouldBe)),
  );
}
