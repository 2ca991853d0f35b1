/** Lines around a change that are shown. */
const CONTEXT = 3;

/** Largest table of lines that are compared, in cells: above it, a changed part is shown as replaced. */
const MAX_CELLS = 1_000_000;

interface Line {
  readonly mark: " " | "+" | "-";
  readonly text: string;
}

/** The difference of two texts in lines, with some lines around each change. Empty when they are equal. */
export function lineDiff(before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after));
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== " "),
  );
  return lines
    .flatMap(({ mark, text }, index) => {
      if (near[index] === true) return [`${mark} ${text}\n`];
      return near[index - 1] === true ? ["  ...\n"] : [];
    })
    .join("");
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** What both begin and end with is the same. Between, the longest common lines are. */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (text: string): Line => ({ mark: " ", text });
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ mark: "-", text });
  const added = (text: string): Line => ({ mark: "+", text });
  if (before.length * after.length > MAX_CELLS) return [...before.map(removed), ...after.map(added)];
  const common = commonLengths(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [left = "", right = ""] = [before[i], after[j]];
    if (left === right) {
      lines.push({ mark: " ", text: left });
      i += 1;
      j += 1;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push(removed(left));
      i += 1;
    } else {
      lines.push(added(right));
      j += 1;
    }
  }
  return [...lines, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}

/** Length of the longest common lines from each pair of places to the ends. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [row, below] = [table[i] ?? [], table[i + 1] ?? []];
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
