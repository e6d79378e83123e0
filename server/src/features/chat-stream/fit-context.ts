/*
 * Which of the earlier messages a model has room for. A token is estimated from above: few texts have more of them.
 */

const charactersPerToken = 3
/** Left for the reply, of models with large windows. */
const replyTokens = 16_000

export interface ContextSize {
  /** Of the model, in tokens. */
  readonly window: number
  /** Of what is always sent, in characters. */
  readonly requiredLength: number
  /** Of the earlier messages, the newest first. */
  readonly earlierLengths: readonly number[]
}

/** How many of the newest earlier messages fit; undefined if not even what is required does. */
export function fitContext(size: ContextSize): number | undefined {
  const tokens = size.window - Math.min(replyTokens, size.window / 4)
  let room = tokens * charactersPerToken - size.requiredLength
  if (room < 0) return undefined
  const firstLeftOut = size.earlierLengths.findIndex((length) => {
    room -= length
    return room < 0
  })
  return firstLeftOut === -1 ? size.earlierLengths.length : firstLeftOut
}

export function leftOutNotice(count: number): string {
  const messages = count === 1 ? 'The oldest message is' : `The ${count} oldest messages are`
  return `${messages} not part of the context: the conversation is longer than the model can read.`
}
