/*
 * Large bytes are written in pieces: the event loop serves others in between, and a slow client only has to read a
 * piece, not all of them, within the time after which it counts as stalled.
 */

const pieceBytes = 256 * 1024

export function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
