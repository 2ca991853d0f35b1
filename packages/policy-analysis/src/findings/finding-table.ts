import { addressAsEnding } from "./checks/address-as-ending.ts";
import { addressesInOne } from "./checks/addresses-in-one.ts";
import { allowByRuns } from "./checks/allow-by-runs.ts";
import { allowHidesRestriction } from "./checks/allow-hides-restriction.ts";
import { allowWithoutEffect } from "./checks/allow-without-effect.ts";
import { alwaysMatches } from "./checks/always-matches.ts";
import { blankAtEnd } from "./checks/blank-at-end.ts";
import { claimedByModel } from "./checks/claimed-by-model.ts";
import { commandAsText } from "./checks/command-as-text.ts";
import { controlCharacter } from "./checks/control-character.ts";
import { deniedToolSpelling } from "./checks/denied-tool-spelling.ts";
import { dotAndNewline } from "./checks/dot-and-newline.ts";
import { dottedName } from "./checks/dotted-name.ts";
import { doubledBackslash } from "./checks/doubled-backslash.ts";
import { emptyCountsAsGiven } from "./checks/empty-counts-as-given.ts";
import { everyToolJudged } from "./checks/every-tool-judged.ts";
import { globInValue } from "./checks/glob-in-value.ts";
import { hostsOfAnyone } from "./checks/hosts-of-anyone.ts";
import { invertedZone } from "./checks/inverted-zone.ts";
import { listLength } from "./checks/list-length.ts";
import { missingPasses } from "./checks/missing-passes.ts";
import { namespaceOfAgent } from "./checks/namespace-of-agent.ts";
import { neverMatches } from "./checks/never-matches.ts";
import { oneArgumentOnly } from "./checks/one-argument-only.ts";
import { openDespiteAllow } from "./checks/open-despite-allow.ts";
import { otherSpelling } from "./checks/other-spelling.ts";
import { pathAsText } from "./checks/path-as-text.ts";
import { sqlAsText } from "./checks/sql-as-text.ts";
import { unanchoredAllow } from "./checks/unanchored-allow.ts";
import { urlAsText } from "./checks/url-as-text.ts";
import { valueNamesField } from "./checks/value-names-field.ts";
import { whenMissingWithoutEffect } from "./checks/when-missing-without-effect.ts";
import type { FindingCheck } from "./finding.ts";

/**
 * Every finding that a call shows. Of several about one place the first is reported: what is written wrong
 * stands before what is read in another way. To add one: write a file in `checks`, add its line here and its
 * code to `DIAGNOSTIC_CODES`, and show it in docs/FINDINGS.md, which a test demands.
 */
export const FINDINGS: readonly FindingCheck[] = [
  openDespiteAllow,
  allowWithoutEffect,
  allowHidesRestriction,
  controlCharacter,
  doubledBackslash,
  blankAtEnd,
  valueNamesField,
  globInValue,
  alwaysMatches,
  neverMatches,
  dottedName,
  invertedZone,
  listLength,
  allowByRuns,
  urlAsText,
  commandAsText,
  sqlAsText,
  addressAsEnding,
  addressesInOne,
  hostsOfAnyone,
  pathAsText,
  claimedByModel,
  emptyCountsAsGiven,
  namespaceOfAgent,
  whenMissingWithoutEffect,
  missingPasses,
  everyToolJudged,
  oneArgumentOnly,
  unanchoredAllow,
  dotAndNewline,
  otherSpelling,
  deniedToolSpelling,
];
