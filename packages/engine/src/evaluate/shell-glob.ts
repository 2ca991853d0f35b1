/** A shell gives these a meaning: globs, braces, variables and command substitution. */
const SHELL = /[*?[{$`]/;

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
    if (next.length === expanded.length) return next;
    expanded = next;
  }
}

function expandOnce(name: string): readonly string[] {
  const [whole = "", head = "", inner = "", tail = ""] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(name) ?? [];
  return whole === "" ? [name] : inner.split(",").map((one) => `${head}${one}${tail}`);
}

/** Their output may be anything. */
function withoutCommands(name: string): string {
  return name.replaceAll(/\$\([^)]*\)?|`[^`]*`?|\$\{[^}]*\}?/g, ANY);
}

function patternOf(name: string): string {
  return name
    .replaceAll(/\$[a-z_][a-z0-9_]*/g, ANY)
    .replaceAll(/\[[^\]]+\]/g, ONE)
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
