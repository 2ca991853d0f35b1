import { calls } from "./calls.mjs";

// oxlint-disable-next-line import/no-default-export -- workerd takes the handlers of a worker from there
export default {
  fetch: async (request) => Response.json(await calls(await request.json())),
};
