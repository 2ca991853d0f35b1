import { agreed, type Truth, truthOf } from "./truth.ts";

/** A question about a text and what the policy wrote, such as whether the one begins with the other. */
export type TextTest = (text: string, wanted: string) => boolean;

// oxlint-disable-next-line no-control-regex -- every ASCII character
const ASCII = /^[\0-\x7f]*$/;

/** Letters whose case depends on the language, or that some tables of capitals do not have. */
const RARE = /[\u0130\u0131\u1e9e]/;

/**
 * The question without regard to case. Some tools ignore the case of ASCII letters alone, others that of all
 * letters, where the Kelvin sign is a k, or that of Turkish ones. All readings are asked and must agree.
 */
export function compileIgnoringCase(test: TextTest, wanted: string): (text: string) => Truth {
  const plainWanted = foldAscii(wanted);
  const fullWanted = foldAll(wanted);
  const rareWanted = foldRare(wanted);
  const isAsciiWanted = ASCII.test(wanted);
  return (text) => {
    const plain = truthOf(test(foldAscii(text), plainWanted));
    if (isAsciiWanted && ASCII.test(text)) return plain;
    const full = agreed(plain, truthOf(test(foldAll(text), fullWanted)));
    if (!RARE.test(text) && !RARE.test(wanted)) return full;
    return agreed(full, truthOf(test(foldRare(text), rareWanted)));
  };
}

/** What tools may read that ignore the case of a text in different ways. The text itself comes first. */
export function caseReadings(text: string): readonly string[] {
  if (ASCII.test(text)) return [text];
  return [...new Set([text, withoutFolded(text), foldAll(text), foldRare(text)])];
}

/** As tools read it that know the case of ASCII letters alone: the Kelvin sign and the long s are none. */
function withoutFolded(text: string): string {
  return text.replaceAll(/[\u212a\u017f]/g, "\u0250");
}

/** As Turkish and newer tables read it. */
function foldRare(text: string): string {
  return foldAll(text.replaceAll(/[\u0130\u0131]/g, "i").replaceAll("\u1e9e", "ss"));
}

/** Equal for texts that a person may take for the same: without case, white space and unseen characters. */
export function foldLoosely(text: string): string {
  return foldRare(text.normalize("NFKC")).replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "");
}

export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Unicode case folding: by way of capitals, so that letters that share one become equal. */
export function foldAll(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("\u03c2", "\u03c3");
}
