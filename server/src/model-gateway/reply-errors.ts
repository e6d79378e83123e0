/*
 * How the stream of a reply fails, apart from its connection.
 */

/** An error that a provider reports within a reply. */
export class ErrorInReply extends Error {
  readonly reported: unknown

  constructor(reported: unknown) {
    super('The provider reported an error.')
    this.reported = reported
  }
}

/** A reply that ends without a finish reason. */
export class ReplyCut extends Error {}

/** A reply whose events could not be read, with the cause. */
export class UnreadableReply extends Error {}

/** In a reply, where no tool is offered. */
export class ToolCalled extends Error {}

/** A response without any event. */
export class NotAStream extends Error {}
