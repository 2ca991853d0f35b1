import { CommandFailure } from "../../frame/exit-code.ts";

/** What a shell would do more than split words, outside of quotes. */
const FOR_A_SHELL = /[|&;<>()$`\\\n]/;

/** What stands for itself in quotes. */
const PLAIN_QUOTES = /'[^']*'|"[^"$`\\]*"/g;

const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/gy;

/**
 * The words of a command line, as a shell splits them at blanks and quotes. No shell is started, so what only
 * a shell can do is refused. @throws CommandFailure `usage`
 */
export function commandWords(line: string): readonly [string, ...string[]] {
  const words: string[] = [];
  const text = line.trim();
  let at = 0;
  while (at < text.length) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(text) ?? [];
    if (word === undefined) throw new CommandFailure("usage", "--mcp: expected closed quotes in the command");
    words.push(word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
    at += word.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  const [program, ...args] = words;
  if (program === undefined)
    throw new CommandFailure("usage", "--mcp: expected an http(s) address or a command, found nothing");
  if (FOR_A_SHELL.test(text.replaceAll(PLAIN_QUOTES, "")))
    throw new CommandFailure(
      "usage",
      "--mcp: expected a program and its words, found a character that only a shell understands. " +
        "Put the line into a script and name that",
    );
  return [program, ...args];
}
