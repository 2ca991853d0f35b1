/** Most integrations of one organization, as count: each reads the whole log once. */
export const MAX_INTEGRATIONS_PER_ORG = 20;

/** Longest address of an integration in characters: more than any receiver needs. */
export const MAX_INTEGRATION_URL_LENGTH = 2_048;

/** Longest secret of an integration in characters: a signed token of an identity provider fits. */
export const MAX_INTEGRATION_SECRET_LENGTH = 8_192;

/** Longest name of an integration in characters: a line of a list. */
export const MAX_INTEGRATION_NAME_LENGTH = 100;

/** Longest host name in characters (RFC 1035). */
export const MAX_HOST_LENGTH = 253;

/** Longest prefix of object names in characters: S3 takes 1,024 bytes for a whole name. */
export const MAX_OBJECT_PREFIX_LENGTH = 512;

/** Rows that are looked at for one answer about what an integration has not got yet, as count. */
export const MAX_UNSENT_ROWS = 2_000;

/** The port of syslog over TLS (RFC 5425). */
export const SYSLOG_TLS_PORT = 6_514;
