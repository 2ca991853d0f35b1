import { controlFeedContract } from "@svc/store/contract/control-feed-suite";
import { FakeFeed } from "./fake-feed.ts";

controlFeedContract(async () => {
  const feed = new FakeFeed();
  return {
    feed,
    commit: async ({ org, change }) => void feed.put(change, org),
    close: async () => undefined,
  };
});
