/** Tokens of a document, as count: parsing and validating stay below some milliseconds. */
export const MAX_TOKENS = 500;

/** Levels of fields. Of them introspection has more, because tools ask for types of types. */
export const MAX_DEPTH = 8;
export const MAX_INTROSPECTION_DEPTH = 16;

/** Entries of one selection set, as count. The library compares each with each. */
export const MAX_SELECTIONS = 100;

/** Fields of one selection set with the same name in the answer, as count, for the same reason. */
export const MAX_SAME_KEY = 20;

/** Nodes of an answer, as count: objects of lists, after `first` is clamped, and single ones. */
export const MAX_NODES = 2_000;

/** Values of an answer, as count, at their estimate: 50,000 take some 100 ms to make. */
export const MAX_VALUES = 50_000;

/** Characters of texts and JSON values in an answer. More than one page of a list of the API has. */
export const MAX_ANSWER_CHARACTERS = 16_000_000;

/** Errors of validation that an answer lists, as count. */
export const MAX_ERRORS = 10;

/** Milliseconds that a question may take with everything that it waits for. */
export const DEADLINE_MS = 10_000;
