import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Finding, Rule, TextFile } from "./finding.ts";

const inlineLink = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const referenceLink = /^\s*\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/;
const elsewhere = /^[a-z][a-z0-9+.-]*:/i;
const fence = /^\s*(```|~~~)/;

/** Relative links of a Markdown file lead to files, and their anchors to headings. */
export function markdownLinkRule(root: string): Rule {
  return (file) => {
    if (!file.path.endsWith(".md")) return [];
    return prose(file.lines).flatMap((line, index) =>
      linksOf(line)
        .filter((target) => !elsewhere.test(target) && !isSound(root, file, target))
        .map((target): Finding => {
          const expected = "a link to a file or heading that exists";
          return { path: file.path, line: index + 1, expected, found: target };
        }),
    );
  };
}

/** The lines, with code blanked out. */
export function prose(lines: readonly string[]): string[] {
  let inFence = false;
  return lines.map((line) => {
    if (fence.test(line)) {
      inFence = !inFence;
      return "";
    }
    return inFence ? "" : line.replaceAll(/`[^`]*`/g, "``");
  });
}

function linksOf(line: string): string[] {
  const reference = referenceLink.exec(line)?.[1];
  const inline = [...line.matchAll(inlineLink)].map((match) => match[1] ?? "");
  return reference === undefined ? inline : [...inline, reference];
}

function isSound(root: string, file: TextFile, target: string): boolean {
  const [path = "", anchor] = decodeURI(target).split("#", 2);
  const folder = path.startsWith("/") ? "" : dirname(file.path);
  const relativePath = path === "" ? file.path : normalize(join(folder, path));
  const absolute = join(root, relativePath);
  if (relativePath.startsWith("..") || !existsSync(absolute)) return false;
  if (anchor === undefined || !relativePath.endsWith(".md")) return true;
  const lines = path === "" ? file.lines : readFileSync(absolute, "utf8").split("\n");
  return anchorsOf(lines).has(anchor);
}

/** The anchors GitHub gives the headings of a file, and those it sets itself. */
export function anchorsOf(lines: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  let inFence = false;
  for (const line of lines) {
    if (fence.test(line)) inFence = !inFence;
    if (inFence) continue;
    for (const match of line.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(match[1] ?? "");
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let unique = slug;
    for (let repeat = 1; anchors.has(unique); repeat += 1) unique = `${slug}-${repeat}`;
    anchors.add(unique);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, "")
    .replaceAll(" ", "-");
}
