import type { AnswerSize } from "./answer-size.ts";
import type { Loaders } from "./loaders.ts";
import type { ReadRoute } from "./read-route.ts";

/** What the fields of one question share. */
export interface QueryContext {
  readonly read: ReadRoute;
  readonly loaders: Loaders;
  readonly size: AnswerSize;
}
