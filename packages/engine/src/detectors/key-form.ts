/** The characters that a part of a key consists of, as the inside of a character class. */
export const ALPHABETS = {
  digit: "0-9",
  hex: "0-9a-f",
  upper: "A-Z0-9",
  alnum: "A-Za-z0-9",
  dash: "A-Za-z0-9-",
  word: "A-Za-z0-9_-",
  dotted: "A-Za-z0-9_=.-",
  wide: "A-Za-z0-9+/_=-",
  base64: "A-Za-z0-9+/=",
  tilde: "A-Za-z0-9_~.-",
  percent: "A-Za-z0-9+/%=",
  path: "A-Za-z0-9/_-",
} as const;
export type Alphabet = keyof typeof ALPHABETS;

/** A fixed text, or a run of characters; `most` is null when the run goes on as far as it can. */
export type KeyPart =
  | { readonly kind: "fixed"; readonly text: string }
  | { readonly kind: "run"; readonly of: Alphabet; readonly least: number; readonly most: number | null };

/** What a key looks like: its parts, one after the other. */
export interface KeyForm {
  readonly text: string;
  readonly parts: readonly KeyPart[];
}

const PART = /\{([a-z0-9]+):([0-9]+)(\+|-[0-9]+)?\}|([A-Za-z0-9_.:/~=-]+)/gy;

/** @throws when the text is not a form, or when a run without end is not the last part. */
export function parseKeyForm(text: string): KeyForm {
  const parts: KeyPart[] = [];
  let length = 0;
  for (const [whole, name = "", least, more, fixed] of text.matchAll(PART)) {
    length += whole.length;
    parts.push(
      fixed === undefined
        ? { kind: "run", of: alphabetOf(name), least: Number(least), most: mostOf(Number(least), more) }
        : { kind: "fixed", text: fixed },
    );
  }
  // A run without end before another part would be searched again from each of its characters.
  const isEndless = parts.slice(0, -1).some((part) => part.kind === "run" && part.most === null);
  if (length !== text.length || isEndless) throw new Error(`${text} is not the form of a key`);
  return { text, parts };
}

function alphabetOf(name: string): Alphabet {
  const names = Object.keys(ALPHABETS) as Alphabet[];
  const found = names.find((one) => one === name);
  if (found === undefined) throw new Error(`there is no alphabet ${name}`);
  return found;
}

function mostOf(least: number, more: string | undefined): number | null {
  if (more === undefined) return least;
  return more === "+" ? null : Number(more.slice(1));
}

/** The parts as a regular expression, without flags. */
export function keyFormPattern(parts: readonly KeyPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === "fixed") return part.text.replaceAll(/[./]/g, "\\$&");
      const most = part.most === null ? "" : String(part.most);
      return `[${ALPHABETS[part.of]}]{${String(part.least)},${most}}`;
    })
    .join("");
}
