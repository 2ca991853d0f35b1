import { agreed, type Truth, truthOf } from "./truth.ts";

/** A question about a text and what the policy wrote, such as whether the one begins with the other. */
export type TextTest = (text: string, wanted: string) => boolean;

// oxlint-disable-next-line no-control-regex -- every ASCII character
const ASCII = /^[\0-\x7f]*$/;

/**
 * The question without regard to case. Some tools ignore the case of ASCII letters alone, others that of all
 * letters, where the Kelvin sign is a k: both readings are asked, and they must agree.
 */
export function compileIgnoringCase(test: TextTest, wanted: string): (text: string) => Truth {
  const plainWanted = foldAscii(wanted);
  const fullWanted = foldAll(wanted);
  const isAsciiWanted = ASCII.test(wanted);
  return (text) => {
    const plain = truthOf(test(foldAscii(text), plainWanted));
    if (isAsciiWanted && ASCII.test(text)) return plain;
    return agreed(plain, truthOf(test(foldAll(text), fullWanted)));
  };
}

export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Unicode case folding: by way of capitals, so that letters that share one become equal. */
export function foldAll(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("\u03c2", "\u03c3");
}
