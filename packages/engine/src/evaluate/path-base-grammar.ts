import { LOOKALIKES } from "./path-within.ts";

/** The grammar of folders as patterns of JSON Schema: a text fits exactly when `parsePathBase` reads it. */

const UNREAD = `/\\\\;\\u0000-\\u001f\\u007f${LOOKALIKES}`;
/** A name that no reader shortens. */
const NAME = `(?!\\s)[^${UNREAD}]*[^${UNREAD}\\s.]`;
const NOT_ENCODED = "(?![\\s\\S]*%(?:[0-9A-Fa-f]{2}|[uU]))";
const NOT_A_SCHEME = "(?!~|[A-Za-z][A-Za-z0-9+.-]*:)";
const ABSOLUTE = `(?:/|(?:/${NAME})+/?)`;
const RELATIVE = `(?:\\.|${NAME}(?:/${NAME})*/?)`;
/** Schemes and hosts are read without regard to case. */
const FILE_URL = "[Ff][Ii][Ll][Ee]://(?:[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt])?(?![\\s\\S]*[?#])";

/** A folder from the root. */
export const ABSOLUTE_BASE_PATTERN = `^${NOT_ENCODED}${ABSOLUTE}$`;

/** A folder from the root, one from where relative paths begin, or a URL of a file. */
export const PATH_BASE_PATTERN = `^${NOT_ENCODED}(?:${ABSOLUTE}|${NOT_A_SCHEME}${RELATIVE}|${FILE_URL}${ABSOLUTE})$`;
