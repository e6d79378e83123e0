/*
 * Which of the earlier messages a model has room for. A token is estimated from above: few texts have more of them.
 */

const charactersPerToken = 3
/** Left for the reply, of models with large windows. */
const replyTokens = 16_000

/** In characters, of a model whose window has so many tokens. */
export function roomOf(window: number): number {
  return (window - Math.min(replyTokens, window / 4)) * charactersPerToken
}

export interface Fitting<Loaded> {
  readonly length: number
  load(): Loaded | Promise<Loaded>
}

/** Those of the beginning that fit, in order. What does not fit is not loaded, and nothing after it is requested. */
export async function loadFitting<Loaded>(
  messages: AsyncIterable<Fitting<Loaded>> | Iterable<Fitting<Loaded>>,
  room: number,
): Promise<Loaded[]> {
  const loaded: Loaded[] = []
  let remaining = room
  for await (const message of messages) {
    remaining -= message.length
    if (remaining < 0) break
    loaded.push(await message.load())
  }
  return loaded
}

export function leftOutNotice(count: number): string {
  const messages = count === 1 ? 'The oldest message was' : `The ${count} oldest messages were`
  return `${messages} left out: the conversation is longer than the model can read.`
}
