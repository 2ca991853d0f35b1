import { type Problem, problem } from "./problem.ts";

const START = "There is no route ";

/** The 404 of a path that the server does not have, unlike that of a resource which it does not have. */
export function unknownRouteProblem(asked: string, help: string): Problem {
  return problem("not_found", `${START}${asked}.${help}`);
}

/** Whether a server says that it does not have the path. */
export function isUnknownRoute({ code, detail }: Pick<Problem, "code" | "detail">): boolean {
  return code === "not_found" && detail.startsWith(START);
}
