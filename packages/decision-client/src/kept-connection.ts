import { Client, type Dispatcher } from "undici";
import { AnswerReader } from "./answer-reader.ts";
import { AnswersOfConnection } from "./answers-of-connection.ts";

/** One connection of a pool. It tells each reader what the answers before have shown. */
export class KeptConnection extends Client {
  #answers = new AnswersOfConnection();

  constructor(origin: URL, options: object) {
    super(origin, options);
    this.on("disconnect", () => {
      // The next request opens another connection, which may lead another way.
      this.#answers = new AnswersOfConnection();
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof AnswerReader) handler.readsFrom(() => this.#answers);
    return super.dispatch(options, handler);
  }
}
