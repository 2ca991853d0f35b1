import {
  type CompletionRow,
  type CompletionValues,
  type CompletionWord,
  PRINT_CONTEXTS,
  placeOf,
  placesOf,
} from "./completion-table.ts";

/** A completion for zsh, for a folder of `fpath` or for `source`. */
export function renderZsh(rows: readonly CompletionRow[]): string {
  const paths = placesOf(rows);
  return `#compdef svc-cli
# zsh completion of svc-cli. Load it with: source <(svc-cli completion zsh)
_svc_cli_contexts() { ${PRINT_CONTEXTS}; }
_svc_cli() {
  local at="" word
  local -a values commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      ${paths.join("|")}) at="$at/$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${rows.flatMap(valuesOf).join("\n")}
  esac
  case "$at" in
${rows.map(rowOf).join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe -o option options; return; fi
  if (( \${#values} )); then compadd -- $values; fi
  if (( \${#commands} )); then _describe command commands; return; fi
  if (( \${#values} )); then return; fi
  _files
}
(( $+functions[compdef] )) && compdef _svc_cli svc-cli
`;
}

function valuesOf({ path, options }: CompletionRow): readonly string[] {
  return options
    .filter(({ values }) => values.length > 0)
    .map(({ word, short, values }) => {
      const names = [word, short].filter((name) => name !== null).map((name) => `"${placeOf(path)} ${name}"`);
      return `    ${names.join("|")}) compadd -- ${valueWords(values)}; return ;;`;
    });
}

function rowOf({ path, commands, values, options }: CompletionRow): string {
  const at = placeOf(path) === "" ? '""' : placeOf(path);
  const [names, flags] = [commands, options].map((words) => words.map(entryOf).join(" "));
  return `    ${at}) values=(${valueWords(values)}); commands=(${names}); options=(${flags}) ;;`;
}

function valueWords(values: CompletionValues): string {
  return values === "contexts" ? '${(f)"$(_svc_cli_contexts)"}' : values.join(" ");
}

/** \`word:meaning\` in single quotes. */
function entryOf({ word, meaning }: CompletionWord): string {
  return `'${word}:${meaning.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`;
}
