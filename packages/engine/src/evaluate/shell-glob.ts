/** A shell gives these a meaning: globs, braces, variables, substitutions, groups and ranges of zsh. */
const SHELL = /[*?[{$`(<]/;

/** One character of a set: `[a-z]`, `[!x]`, `[]x]`, `[[:alpha:]]`. */
const SET = /\[[!^]?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\][]|\[(?![:.=]))*\]/g;

/** A group of alternatives without another one inside it, with what bash or zsh may read before it. */
const GROUP = /^(.*?)([@!+*?]?)\(([^()]*)\)(.*)$/s;

/** Braces that one expansion of alternatives leaves: nested ones, and ranges such as `{a..z}`. */
const OTHER_BRACES = /\{.*(?:,|\.\.).*\}/s;

/** What stands for exactly one character, and for any number of them. */
const ONE = "\u0001";
const ANY = "*";

/** Most alternatives of braces that are looked at, as count. */
const MAX_ALTERNATIVES = 64;

/**
 * Whether a name exists that both the shell glob and the glob, of which only `*` is special, match. */
export function globReadingMeets(name: string, glob: string): boolean {
  if (!SHELL.test(name)) return false;
  return alternatives(withoutCommands(name)).some((one) => !/\s/.test(one) && meets(patternOf(one), glob));
}

/** `.e{nv,x}` as `.env` and `.ex`. Too many alternatives are one that may be anything. */
function alternatives(name: string): readonly string[] {
  let expanded: readonly string[] = [name];
  for (;;) {
    const next = expanded.flatMap(expandOnce);
    if (next.length > MAX_ALTERNATIVES) return [ANY];
    if (next.every((one, at) => one === expanded[at])) return next;
    expanded = next;
  }
}

function expandOnce(name: string): readonly string[] {
  const [whole = "", head = "", inner = "", tail = ""] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(name) ?? [];
  return whole === "" ? expandGroup(name) : inner.split(",").map((one) => `${head}${one}${tail}`);
}

/** At the end of a name zsh takes a group for a choice among the files that it found. */
function expandGroup(name: string): readonly string[] {
  const [whole = "", head = "", sign = "", inner = "", tail = ""] = GROUP.exec(name) ?? [];
  if (whole === "") return [name];
  if (sign !== "" && sign !== "@") return [`${head}${ANY}${tail}`];
  const parts = [...inner.split("|"), ...(tail === "" ? [""] : [])];
  const heads = sign === "" ? [head] : [head, `${head}${sign}`];
  return heads.flatMap((begin) => parts.map((one) => `${begin}${one}${tail}`));
}

/** Their output may be anything. */
function withoutCommands(name: string): string {
  return name.replaceAll(/\$\([^)]*\)?|`[^`]*`?|\$\{[^}]*\}?|\$\[[^\]]*\]?/g, ANY);
}

function patternOf(name: string): string {
  return name
    .replaceAll(/\$[=~^+#]*[\p{L}_][\p{L}\p{N}_]*/gu, ANY)
    .replaceAll(/<[0-9]*-[0-9]*>/g, ANY)
    .replace(OTHER_BRACES, ANY)
    .replaceAll(SET, ONE)
    .replaceAll("?", ONE);
}

/** Whether one text fits both patterns. At most the product of both lengths. */
function meets(left: string, right: string): boolean {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at === 0 || /^\**$/.test(right.slice(0, at)));
  for (const unit of left) {
    const next: boolean[] = [];
    for (let at = 0; at <= right.length; at += 1) {
      const other = right[at - 1];
      if (unit === ANY) next.push(row[at] === true || next[at - 1] === true);
      else if (other === ANY) next.push(row[at] === true || next[at - 1] === true);
      else next.push(at > 0 && row[at - 1] === true && (unit === ONE || unit === other));
    }
    row = next;
  }
  return row[right.length] === true;
}
