import { MAX_HOST, MAX_LABEL } from "./host-within.ts";

/** The grammar of hosts in conditions as a pattern of JSON Schema. */

const LABEL = `[A-Za-z0-9_-]{1,${String(MAX_LABEL)}}`;
const SHORT = `(?=[^*]{1,${String(MAX_HOST)}}$)`;
/** The last label is not a number: some reader takes such a name for an address. */
const NOT_AN_ADDRESS = "(?!(?:[^/]*[.])?(?:[0-9]+|0[xX][0-9A-Fa-f]*)$)";
const OCTET = "(?:[1-9]?[0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
const IPV4 = `${OCTET}(?:[.]${OCTET}){3}/(?:[12]?[0-9]|3[0-2])`;
/** Loose: which groups of digits make an IPv6 address is not said. */
const IPV6 = "[0-9A-Fa-f]*:[0-9A-Fa-f:]+/(?:[1-9]?[0-9]|1[01][0-9]|12[0-8])";

/** A name, `*.` and a name, or a network. */
export const HOST_PATTERN = `^(?:(?:[*][.])?${SHORT}${NOT_AN_ADDRESS}${LABEL}(?:[.]${LABEL})*|${IPV4}|${IPV6})$`;
