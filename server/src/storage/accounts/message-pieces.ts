/*
 * How much of a conversation is read at once: it can have megabytes, and on SQLite a statement holds the event loop. Other
 * requests are served between the pieces.
 */

/** Unless a single message has more. */
const bytesPerPiece = 128 * 1024
const messagesPerPiece = 50

/** The messages in the same order. `bytes`: of their text, as it is stored. */
export function* messagePieces<Message extends { readonly bytes: number }>(
  messages: readonly Message[],
): Generator<readonly Message[]> {
  let piece: Message[] = []
  let pieceBytes = 0
  for (const message of messages) {
    const isFull = piece.length === messagesPerPiece || pieceBytes + message.bytes > bytesPerPiece
    if (isFull && piece.length > 0) {
      yield piece
      piece = []
      pieceBytes = 0
    }
    piece.push(message)
    pieceBytes += message.bytes
  }
  if (piece.length > 0) yield piece
}
