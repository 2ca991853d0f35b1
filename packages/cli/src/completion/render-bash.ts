import {
  type CompletionRow,
  type CompletionValues,
  PRINT_CONTEXTS,
  placeOf,
  placesOf,
} from "./completion-table.ts";

/** A completion for bash 3.2 and later, without bash-completion. */
export function renderBash(rows: readonly CompletionRow[]): string {
  return `# bash completion of svc-cli. Load it with: source <(svc-cli completion bash)
_svc_cli_contexts() { ${PRINT_CONTEXTS}; }
_svc_cli() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word i words=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at/$word" in
${pathsOf(rows)}
    esac
  done
  case "$at $prev" in
${valuesOf(rows)}
  esac
  if [ -z "$words" ]; then
    case "$at" in
${rows.map(wordsOf).join("\n")}
    esac
    # Files come when nothing else fits.
    case "$cur" in -*) ;; *) words="\${words%%|*}" ;; esac
    words="\${words//|/ }"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -o bashdefault -F _svc_cli svc-cli
`;
}

function pathsOf(rows: readonly CompletionRow[]): string {
  const paths = placesOf(rows).map((place) => `"${place}"`);
  return `      ${paths.join("|")}) at="$at/$word" ;;`;
}

function valuesOf(rows: readonly CompletionRow[]): string {
  return rows
    .flatMap(({ path, options }) =>
      options
        .filter(({ takesValue, values }) => takesValue && values.length > 0)
        .flatMap(({ word, short, values }) =>
          [word, short]
            .filter((name) => name !== null)
            .map((name) => `    "${placeOf(path)} ${name}") words="${valueWords(values)}" ;;`),
        ),
    )
    .join("\n");
}

function valueWords(values: CompletionValues): string {
  return values === "contexts" ? "$(_svc_cli_contexts)" : values.join(" ");
}

/** Commands and values, a bar, and options, which are offered only after a hyphen. */
function wordsOf({ path, commands, values, options }: CompletionRow): string {
  const names = [...commands.map(({ word }) => word), valueWords(values)].join(" ").trim();
  return `      "${placeOf(path)}") words="${names}|${options.map(({ word }) => word).join(" ")}" ;;`;
}
