import { MAX_BODY_BYTES } from "@svc/text/limits";

/** Bytes of a form: arguments of the largest call, of which each byte takes three in a form. */
export const MAX_FORM_BYTES = 4 * MAX_BODY_BYTES;

/**
 * Bytes of a form of somebody who has not signed in. A key and a token take less than one KiB. A reason of
 * the greatest length takes 9 KiB, and is shown to somebody whose login ended before they sent it.
 */
export const MAX_LOGIN_FORM_BYTES = 16 * 1024;

/**
 * Bytes of arguments as a browser sends them, most that the text area shows: a whole form without its other
 * fields, of which a reason of the greatest length takes 9 KiB.
 */
export const MAX_EDITOR_BYTES = MAX_FORM_BYTES - 16 * 1024;
