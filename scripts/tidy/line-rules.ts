import { perLine, type Rule, type TextFile } from "./finding.ts";

const MAX_COLUMNS = 110;
/** A line may be as long as one token that cannot be broken: an address, a digest. */
const UNBREAKABLE_COLUMNS = 80;

const source = /\.(ts|mjs)$/;
const testSource = /\.(test|suite)\.ts$/;
const text = /\.(ts|mjs|md|sh|ya?ml|py|go|proto|tf)$|(^|\/)(Dockerfile|run)$/;

const lineLength = perLine(`at most ${MAX_COLUMNS} columns`, (line) => {
  const columns = Array.from(line).length;
  const unbreakable = line.split(/\s/).some((token) => token.length > UNBREAKABLE_COLUMNS);
  return columns > MAX_COLUMNS && !unbreakable ? `${columns}` : undefined;
});

// Written in pieces, so that this file does not break its own rule.
const markers = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"];
const marker = new RegExp(`(?:^|[\\s/#*(])(${markers.join("|")})(?=$|[\\s:(])`);

const leftoverMarker = perLine(
  "no leftover marker: do it, or describe the limit for readers",
  (line) => marker.exec(line)?.[1],
);

const focused = /\b(?:test|it|describe|suite)(?:\.\w+)*\.only\b/;
const skipped = /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo)\b|\b\w+\.skip\(/;
const writtenReason = /\/\/ skip: \S+/;

const focusedTest = perLine("every test to run", (line) => focused.exec(line)?.[0]);
const skippedTest = perLine(
  'a comment "// skip: <reason>" on the line of a skip or above it',
  (line, before) => {
    const found = skipped.exec(line)?.[0];
    return writtenReason.test(line) || writtenReason.test(before) ? undefined : found;
  },
);

/** Style that is judged line by line; the linter knows about functions, files and parameters. */
export const lineRules: Rule = (file: TextFile) => [
  ...(source.test(file.path) ? lineLength(file) : []),
  ...(text.test(file.path) ? leftoverMarker(file) : []),
  ...(testSource.test(file.path) ? [...focusedTest(file), ...skippedTest(file)] : []),
];
