/**
 * Style is a test: lines, leftover markers, skipped tests, Markdown links, names of one machine, numbers of
 * records, sections of the changelog and plain English. The linter judges the rest (lengths of files and
 * functions, parameters). `--verbose` also names long files, and sentences in rooms that are not rewritten
 * yet in plain English.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { changelogSectionRule } from "./tidy/changelog-sections.ts";
import { fileNameRule } from "./tidy/file-names.ts";
import { renderFinding, type TextFile } from "./tidy/finding.ts";
import { lineRules } from "./tidy/line-rules.ts";
import { machineNameRule } from "./tidy/machine-names.ts";
import { markdownLinkRule } from "./tidy/markdown-links.ts";
import { plainEnglishRule } from "./tidy/plain-english.ts";
import { recordNumberRule } from "./tidy/record-numbers.ts";
import { unsteadyListRule } from "./tidy/unsteady-list.ts";
import { root } from "./toolchain.mjs";

/** What a source file aims at; the linter fails it at twice that. */
const AIM_LINES = 150;
/** Larger files are data or bundles, not text that people wrote. */
const MAX_BYTES = 2 * 1024 * 1024;

function textFiles(): TextFile[] {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = execFileSync("git", listing, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  return paths.flatMap((path) => {
    const absolute = join(root, path);
    if (!existsSync(absolute) || !statSync(absolute).isFile()) return [];
    if (statSync(absolute).size > MAX_BYTES) return [];
    const text = readFileSync(absolute, "utf8");
    return text.includes("\0") ? [] : [{ path, lines: text.split(/\r?\n/) }];
  });
}

/** The checkout itself, and the folder it stands in unless that is a usual place for checkouts. */
function machineFolders(): string[] {
  const around = dirname(root);
  return ["/", homedir(), tmpdir()].includes(around) ? [root] : [root, around];
}

function registryHosts(): string[] {
  const registry = process.env["npm_config_registry"];
  return registry === undefined ? [] : [new URL(registry).hostname];
}

const machineNames = machineNameRule({ folders: machineFolders(), hosts: registryHosts() });
const files = textFiles();
const paths = files.map((file) => file.path);
const rules = [
  lineRules,
  markdownLinkRule(root),
  machineNames,
  recordNumberRule(paths),
  unsteadyListRule(paths, Date.now()),
  changelogSectionRule,
  plainEnglishRule,
  fileNameRule,
];
/** Programs write the files of these folders. Only what names one machine is a finding there. */
const GENERATED = /\/generated\//;
const findings = files.flatMap((file) =>
  (GENERATED.test(file.path) ? [machineNames] : rules).flatMap((rule) => rule(file)),
);
for (const finding of findings) process.stdout.write(`${renderFinding(finding)}\n`);

if (process.argv.includes("--verbose")) {
  const long = files.filter((file) => /\.(ts|mjs)$/.test(file.path) && file.lines.length > AIM_LINES);
  for (const { path, lines } of long)
    process.stdout.write(`${path}: ${lines.length} lines, aim ${AIM_LINES}\n`);
}
process.stdout.write(`tidy: ${files.length} files, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
