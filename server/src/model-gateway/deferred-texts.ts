import { setImmediate as nextTurn } from 'node:timers/promises'
import { newSecret } from '../platform/ids.ts'
import type { ModelMessage } from './model-call.ts'

/*
 * Prompts of any length without a long turn of the event loop. The AI SDK's clients serialize a request at once, which
 * takes up to 65 ms for a million tokens. They get a mark in place of each text, and the texts are serialized in pieces
 * when the marks are replaced.
 */

export interface DeferredTexts {
  /** With marks. */
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** The JSON of a client with the texts. Other requests have their turn in between. */
  fill(json: string): Promise<readonly Uint8Array[]>
}

/** In characters; one can become six bytes. */
const pieceLength = 64 * 1024

export function deferTexts({
  system,
  messages,
}: Pick<DeferredTexts, 'system' | 'messages'>): DeferredTexts {
  const texts = [system, ...messages.map(({ content }) => content)]
  // Nobody else knows it, so that no other text contains a mark.
  const secret = newSecret(16)
  const toMark = (at: number) => `${secret}-${at}-`
  return {
    system: system === '' ? '' : toMark(0),
    messages: messages.map(({ role }, at) => ({ role, content: toMark(at + 1) })),

    async fill(json) {
      const pieces: Uint8Array[] = []
      let piece = ''
      for (const [at, part] of json.split(new RegExp(`${secret}-(\\d+)-`)).entries()) {
        // Every second part is the number of a mark.
        for (const filled of at % 2 === 0 ? [part] : serialize(texts[Number(part)] ?? '')) {
          piece += filled
          if (piece.length < pieceLength) continue
          pieces.push(Buffer.from(piece))
          piece = ''
          await nextTurn()
        }
      }
      return [...pieces, Buffer.from(piece)]
    },
  }
}

/** As in a JSON string. A pair of surrogates that is cut becomes two escapes, which mean the same. */
function* serialize(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) {
    yield JSON.stringify(text.slice(at, at + pieceLength)).slice(1, -1)
  }
}
