import { GlobIndex } from "@svc/engine/glob-index";
import { firstCovering, overlapWitness } from "@svc/engine/glob-overlap";
import type { PlacedGlob, PolicyDocument } from "@svc/engine/policy-document";
import type { Reporter } from "@svc/engine/reporter";
import type { Trial } from "../findings/trial.ts";
import { matchedByBoth } from "./matched-by-both.ts";

export function reportListConflicts(document: PolicyDocument, trial: Trial, reporter: Reporter): void {
  reportDuplicates(document.allowed, "allowed", reporter);
  reportDuplicates(document.denied, "denied", reporter);
  reportDuplicates(document.readOnly, "read_only", reporter);
  reportAllowedAndDenied(document, trial, reporter);
  if (document.failClosed || document.denied.length > 0) return;
  reporter.report(
    "policy/open-by-default",
    { pointer: "", offset: 0 },
    {
      message: "with fail_closed: false and no denied tools, an agent may call every tool that no rule stops",
      expected: "fail_closed: true, or a list of denied tools",
      found: "fail_closed: false and no denied tools",
      fix:
        "remove fail_closed and list the tools under tools.allowed, " +
        "or list the dangerous tools under tools.denied",
    },
  );
}

function reportDuplicates(globs: readonly PlacedGlob[], list: string, reporter: Reporter): void {
  const first = new Map<string, PlacedGlob>();
  for (const placed of globs) {
    const earlier = first.get(placed.glob);
    if (earlier === undefined) {
      first.set(placed.glob, placed);
      continue;
    }
    reporter.report("policy/duplicate-glob", placed.place, {
      message: `${placed.glob} is listed twice in tools.${list} (first on ${reporter.lineOf(earlier.place)})`,
      expected: "every entry once",
      found: "the same entry twice",
      fix: "remove this entry",
      related: earlier.place,
    });
  }
}

/**
 * A denied glob inside an allowed one is how exceptions are written; an allowed entry that can never
 * apply is not.
 */
function reportAllowedAndDenied({ allowed, denied }: PolicyDocument, trial: Trial, reporter: Reporter): void {
  const index = new GlobIndex(denied.map(({ glob }) => glob));
  for (const { glob, place } of allowed) {
    const over = denied[firstCovering(index, glob)];
    if (over === undefined) continue;
    const witness = overlapWitness(over.glob, glob) ?? glob;
    reporter.report("policy/allowed-and-denied", place, {
      message:
        `${glob} is allowed here, and ${over.glob} under tools.denied denies all of it; the deny wins; ` +
        matchedByBoth(witness),
      expected: "allowed tools that are not all denied",
      found: "an entry that allows nothing",
      fix: `remove ${glob} from tools.allowed, or ${over.glob} from tools.denied`,
      related: over.place,
      witness: trial.witnessFor(witness),
    });
  }
}
