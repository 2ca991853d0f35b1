/** Most notification channels of one organization, as count: every event is compared with each of them. */
export const MAX_CHANNELS_PER_ORG = 500;

/** Most mail addresses of one channel, as count: a list of more belongs to a mailing list. */
export const MAX_CHANNEL_ADDRESSES = 20;

/** Longest mail address in characters (RFC 5321). */
export const MAX_MAIL_ADDRESS_LENGTH = 254;

/** Characters of an integration key of PagerDuty. */
export const PAGERDUTY_KEY_LENGTH = 32;
