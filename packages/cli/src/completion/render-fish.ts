import {
  type CompletionOption,
  type CompletionRow,
  type CompletionValues,
  PRINT_CONTEXTS,
  placeOf,
  placesOf,
} from "./completion-table.ts";

/** A completion for fish, for `~/.config/fish/completions/svc-cli.fish`. */
export function renderFish(rows: readonly CompletionRow[]): string {
  const paths = placesOf(rows);
  return `# fish completion of svc-cli. Load it with: svc-cli completion fish | source
function __svc_cli_contexts
    ${PRINT_CONTEXTS}
end
function __svc_cli_at
    set -l at ""
    for word in (commandline -opc)[2..-1]
        contains -- "$at/$word" ${paths.join(" ")}; and set at "$at/$word"
    end
    test "$at" = "$argv[1]"
end
${rows.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, commands, values, options }: CompletionRow): readonly string[] {
  const at = `complete -c svc-cli -n '__svc_cli_at "${placeOf(path)}"'`;
  return [
    ...commands.map(({ word, meaning }) => `${at} -f -a ${word} -d ${quoted(meaning)}`),
    ...(values.length === 0 ? [] : [`${at} -f -a ${valueWords(values)}`]),
    ...options.map((option) => `${at} ${flagsOf(option)} -d ${quoted(option.meaning)}`),
  ];
}

function flagsOf({ word, short, takesValue, values }: CompletionOption): string {
  const flags = [
    `-l ${word.replace(/^--/, "")}`,
    ...(short === null ? [] : [`-s ${short.replace(/^-/, "")}`]),
  ];
  if (takesValue) flags.push(values.length > 0 ? `-x -a ${valueWords(values)}` : "-r");
  return flags.join(" ");
}

function valueWords(values: CompletionValues): string {
  return values === "contexts" ? "'(__svc_cli_contexts)'" : quoted(values.join(" "));
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
