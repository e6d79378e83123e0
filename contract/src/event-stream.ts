/*
 * Reads server-sent events. Only `data` is returned; comments, names and ids are ignored.
 */

/** Parses chunks of text of any size and returns the data of each complete message. */
export function eventReader(): (piece: string) => readonly string[] {
  let rest = ''
  let data: string[] = []

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const messages: string[] = []
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        messages.push(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5))
      }
    }
    return messages
  }
}

/**
 * The data of each message of a response. Ends with the response, and rejects if the connection is lost; `onActivity` is
 * called for everything that arrives, comments included.
 */
export function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onActivity: () => void = () => {},
): AsyncGenerator<string> {
  // Now rather than with the first message: Node cancels a body without a reader when its Response is garbage collected.
  return readData(body.pipeThrough(new TextDecoderStream()).getReader(), onActivity)
}

async function* readData(
  reader: ReadableStreamDefaultReader<string>,
  onActivity: () => void,
): AsyncGenerator<string> {
  const readMessages = eventReader()
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      onActivity()
      yield* readMessages(value)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The service sends a comment every 15 s; after three missed ones the connection counts as lost. */
const silenceMs = 50_000

/** Calls `onSilence` when nothing has arrived for too long. */
export function watchSilence(onSilence: () => void): { onActivity(): void; end(): void } {
  let timer = setTimeout(onSilence, silenceMs)
  return {
    onActivity() {
      clearTimeout(timer)
      timer = setTimeout(onSilence, silenceMs)
    },
    end: () => clearTimeout(timer),
  }
}
