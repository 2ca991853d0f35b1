import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "@svc/contract/limits";
import { pageParameters } from "@svc/contract/query-parameter";

/** The query parameters of every list. */
export const PAGE = pageParameters({ max: MAX_PAGE_SIZE, fallback: DEFAULT_PAGE_SIZE });
