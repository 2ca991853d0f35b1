import { type EvaluatorFactory, RegoUnavailable } from "../evaluator-factory.ts";

/** The factory where nothing runs modules. */
export const noEvaluators: EvaluatorFactory = () => Promise.reject(new RegoUnavailable());
