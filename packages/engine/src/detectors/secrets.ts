import { type Detector, patternDetector, type Span } from "./detector.ts";
import { earlier, type FindFrom, remembered } from "./find-from.ts";

/** Access key ids of long-lived, temporary, bearer and context keys. */
export const awsKey: Detector = patternDetector(
  /(?<![A-Z0-9])A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  (text) => /A(?:KIA|SIA|BIA|CCA)[A-Z0-9]/.test(text),
);

/** Classic tokens of all kinds and fine-grained ones; the class at the end takes the whole token. */
export const githubToken: Detector = patternDetector(
  /(?:gh[opsur]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g,
  (text) => text.includes("_") && /gh[opsur]_|github_pat_/.test(text),
);

/** White space between the words as it stands in a text, or as JSON within JSON escapes it. */
const KEY_LABEL = /PRIVATE(?:\s|\\{1,8}[nrt]){1,4}KEY/;
const ARMOR_BEGIN = "-----BEGIN";
const ARMOR_END = "-----END ";
const DASHES = "-----";
/** Longest label in characters, with white space: `OPENSSH PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`. */
const MAX_LABEL = 40;

const PUTTY_BEGIN = "PuTTY-User-Key-File-";
const PUTTY_END = /Private-MAC: ?[0-9A-Fa-f]*/g;

/** An armored private key or a key file of PuTTY, to its end line; without one, to the end of the text. */
export const privateKey: Detector = {
  // The label is not looked for: canonical JSON, which is asked first, escapes white space within it.
  mayContain: (text) => text.includes(ARMOR_BEGIN) || text.includes(PUTTY_BEGIN),
  search: (text) => {
    const armored = armoredFrom(text);
    const putty = puttyFrom(text);
    let from = 0;
    return () => {
      const found = earlier(armored(from), putty(from));
      from = found?.end ?? text.length;
      return found;
    };
  },
};

function armoredFrom(text: string): FindFrom {
  return remembered((from) => {
    for (
      let start = text.indexOf(ARMOR_BEGIN, from);
      start !== -1;
      start = text.indexOf(ARMOR_BEGIN, start + 1)
    ) {
      const labelStart = start + ARMOR_BEGIN.length;
      const labelEnd = text.indexOf(DASHES, labelStart);
      if (labelEnd === -1) break;
      const label = text.slice(labelStart, Math.min(labelEnd, labelStart + MAX_LABEL));
      if (KEY_LABEL.test(label)) return { start, end: endOfKey(text, labelEnd) };
    }
    return null;
  });
}

function puttyFrom(text: string): FindFrom {
  return remembered((from) => {
    const start = text.indexOf(PUTTY_BEGIN, from);
    if (start === -1) return null;
    PUTTY_END.lastIndex = start;
    return { start, end: PUTTY_END.test(text) ? PUTTY_END.lastIndex : text.length };
  });
}

function endOfKey(text: string, from: number): number {
  const end = text.indexOf(ARMOR_END, from);
  if (end === -1) return text.length;
  const close = text.indexOf(DASHES, end + ARMOR_END.length);
  return close === -1 ? text.length : close + DASHES.length;
}

const JWT_JOINT = ".eyJ";
const BASE64URL = /[A-Za-z0-9_-]/;

/** Header and claims, both JSON objects in base64url (`eyJ`), and the signature, which may be empty. */
export const jwt: Detector = {
  mayContain: (text) => text.includes(JWT_JOINT),
  search: (text) => {
    let from = 0;
    return () => {
      // No character is read twice to the left: each search ends at the joint before.
      let floor = from;
      for (
        let joint = text.indexOf(JWT_JOINT, from);
        joint !== -1;
        joint = text.indexOf(JWT_JOINT, joint + 1)
      ) {
        const span = tokenAround(text, joint, floor);
        floor = joint + 1;
        if (span === null) continue;
        from = span.end;
        return span;
      }
      from = text.length;
      return null;
    };
  },
};

function tokenAround(text: string, joint: number, floor: number): Span | null {
  let runStart = joint;
  while (runStart > floor && BASE64URL.test(text.charAt(runStart - 1))) runStart -= 1;
  const start = text.slice(runStart, joint).indexOf("eyJ");
  if (start === -1) return null;
  const claimsEnd = endOfRun(text, joint + 1);
  if (text.charAt(claimsEnd) !== ".") return null;
  return { start: runStart + start, end: endOfRun(text, claimsEnd + 1) };
}

function endOfRun(text: string, from: number): number {
  let end = from;
  while (end < text.length && BASE64URL.test(text.charAt(end))) end += 1;
  return end;
}
