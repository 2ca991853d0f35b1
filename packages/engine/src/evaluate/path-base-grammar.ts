import { LOOKALIKES } from "./path-within.ts";

/**
 * The grammar of folders as patterns of JSON Schema: a text fits exactly when `parsePathBase` reads it, but
 * for characters that only Unicode normalisation turns into dots and slashes.
 */

const UNREAD = `/\\\\;\\u0000-\\u001f\\u007f-\\u009f${LOOKALIKES}`;
/** What a shell may expand to a name that leads upwards. */
const DOTTED_GLOB = "\\.{1,2}[*?[]|[^/]*[{}()][^/]*\\.\\.|[^/]*\\.\\.[^/]*[{}()]";
/** A name that no reader shortens or expands. */
const NAME = `(?!\\s|${DOTTED_GLOB})[^${UNREAD}]*[^${UNREAD}\\s.]`;
const NOT_ENCODED = "(?![\\s\\S]*%(?:[0-9A-Fa-f]{2}|[uU]))";
/** Neither variables nor the output of commands. */
const NOT_EXPANDED = "(?![\\s\\S]*(?:\\$[A-Za-z_{(]|`|%[A-Za-z_][A-Za-z0-9_]*%))";
const NOT_A_SCHEME = "(?!~|[A-Za-z][A-Za-z0-9+.-]*:)";
const PLAIN = `${NOT_ENCODED}${NOT_EXPANDED}`;
const ABSOLUTE = `(?:/|(?:/${NAME})+/?)`;
const RELATIVE = `(?:\\.|${NAME}(?:/${NAME})*/?)`;
/** Schemes and hosts are read without regard to case. */
const FILE_URL = "[Ff][Ii][Ll][Ee]://(?:[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt])?(?![\\s\\S]*[?#])";

/** A folder from the root. */
export const ABSOLUTE_BASE_PATTERN = `^${PLAIN}${ABSOLUTE}$`;

/** A folder from the root, one from where relative paths begin, or a URL of a file. */
export const PATH_BASE_PATTERN = `^${PLAIN}(?:${NOT_A_SCHEME}${RELATIVE}|(?:${FILE_URL})?${ABSOLUTE})$`;
