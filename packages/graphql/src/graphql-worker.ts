import { serveCalls } from "@svc/process/serve-calls";
import { graphqlService } from "./graphql-service.ts";

/** Nice value of the thread: verdicts go first, and people still get their answer on a busy machine. */
const NICE = 5;

/** Entry of the thread that answers GraphQL. Questions wait for routes, so several are under way at once. */
serveCalls(graphqlService, { nice: NICE, atOnce: true });
