import { type JsonPart, JsonPieces } from '../../http/call.ts'

/** The last line of a stream, with data that can have megabytes. */
export function completedLine(data: AsyncIterable<JsonPart> | Iterable<JsonPart>): JsonPieces {
  return new JsonPieces(toPieces(data))
}

async function* toPieces(
  data: AsyncIterable<JsonPart> | Iterable<JsonPart>,
): AsyncGenerator<JsonPart> {
  yield '{"type":"completed","data":'
  yield* data
  yield '}'
}
