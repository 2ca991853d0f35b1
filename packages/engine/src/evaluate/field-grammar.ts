import { MAX_SEGMENTS, NAME_CHARACTERS, REFUSED_NAMES } from "./field-path.ts";

/** The grammar of paths as patterns of JSON Schema: a text fits exactly when `parseFieldPattern` reads it. */

const REFUSED_NAME = `(?:${[...REFUSED_NAMES].join("|")})`;
const REFUSED = `(?!(?:"${REFUSED_NAME}"|${REFUSED_NAME})(?:\\.|$))`;
const QUOTED = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9A-Fa-f]{4}))*"';
const NAME = `${REFUSED}(?:${NAME_CHARACTERS}|${QUOTED})`;

function pathOf(name: string, most: string): string {
  return `^args(?:\\.${name}){1,${most}}$`;
}

/** One name of a path, alone. */
export const MEMBER_NAME_PATTERN = `^${NAME}$`;

/** One place in the arguments. */
export const FIELD_PATH_PATTERN = pathOf(NAME, String(MAX_SEGMENTS));

/** Places in which `*` stands for every element. */
export const ELEMENT_PLACE_PATTERN = pathOf(`(?:\\*|${NAME})`, String(MAX_SEGMENTS));

/** Places with wildcards. Two `**` in a row count as one, so the number of names is not bounded. */
export const FIELD_PATTERN_PATTERN = pathOf(`(?:\\*\\*?|${NAME})`, "");
