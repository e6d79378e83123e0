/*
 * Normalizes message parts: OpenTelemetry GenAI, OpenAI and Anthropic content blocks, Gemini, the AI SDK and
 * OpenInference.
 */

export type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'reasoning'; readonly text: string }
  | { readonly is: 'call'; readonly name: string; readonly id?: string; readonly input: unknown }
  | {
      readonly is: 'result'
      readonly name?: string
      readonly id?: string
      readonly output: unknown
    }
  | {
      readonly is: 'media'
      /** The media type, or the type of the part. */
      readonly what: string
      /** Where the sender has it: an address, or the id of a file. Nothing is loaded from there. */
      readonly link?: string
      /** Of inline data. */
      readonly bytes?: number
      /** A data URL that is safe to show. */
      readonly image?: string
      /** A data URL that is safe to play. */
      readonly audio?: string
    }
  | { readonly is: 'other'; readonly value: unknown }

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The content of a message: a text, a block, or a list of them. */
export function toParts(content: unknown): readonly Part[] {
  if (content === null || content === undefined || content === '') return []
  if (Array.isArray(content)) return content.flatMap((one) => partFrom(one))
  return [partFrom(content)]
}

function partFrom(value: unknown): Part {
  if (typeof value === 'string') return { is: 'text', text: value }
  if (!isFields(value)) return { is: 'other', value }
  const wrapped = value['message_content']
  if (isFields(wrapped)) return partFrom(wrapped)
  return typed(value) ?? untyped(value) ?? { is: 'other', value }
}

function typed(part: Fields): Part | undefined {
  const type = toText(part['type'] ?? '').replaceAll('-', '_')
  if (texts.has(type)) return textPart('text', first(part, ['text', 'content', 'refusal']))
  if (thoughts.has(type)) {
    return textPart('reasoning', joined(first(part, ['content', 'thinking', 'text', 'summary'])))
  }
  if (calls.has(type)) return callPart(part)
  if (results.has(type)) return resultPart(part)
  if (media.has(type)) return mediaPart(part)
  return undefined
}

const texts = new Set(['text', 'input_text', 'output_text', 'refusal'])
const thoughts = new Set(['reasoning', 'thinking', 'redacted_thinking'])
const calls = new Set([
  'tool_call',
  'tool_use',
  'function',
  'function_call',
  'server_tool_call',
  'server_tool_use',
])
const results = new Set([
  'tool_call_response',
  'tool_result',
  'function_call_output',
  'server_tool_call_response',
  'web_search_tool_result',
])
const media = new Set([
  'image',
  'image_url',
  'input_image',
  'audio',
  'input_audio',
  'video',
  'file',
  'input_file',
  'document',
  'blob',
  'uri',
])

/** Parts identified by their only field, as in Gemini. */
function untyped(part: Fields): Part | undefined {
  const { text, functionCall, functionResponse, inlineData, fileData } = part
  if (typeof text === 'string') return { is: 'text', text }
  if (isFields(functionCall)) return callPart(functionCall)
  if (isFields(functionResponse)) return resultPart(functionResponse)
  if (isFields(inlineData)) return mediaPart(inlineData)
  if (isFields(fileData)) return mediaPart(fileData)
  return undefined
}

function textPart(is: 'text' | 'reasoning', text: unknown): Part | undefined {
  return typeof text === 'string' ? { is, text } : undefined
}

/** Reasoning summaries are a list of texts. */
function joined(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((one) => toText(isFields(one) ? (one['text'] ?? one) : one)).join('\n\n')
}

/** Some clients wrap tool calls in `function` or `tool_call`. */
export function callPart(call: Fields): Part {
  const wrapped = call['tool_call'] ?? call['function'] ?? call['server_tool_call']
  const outer = isFields(wrapped) ? { ...call, ...wrapped } : call
  const inner = isFields(outer['function']) ? { ...outer, ...outer['function'] } : outer
  return {
    is: 'call',
    name: toText(first(inner, ['name', 'toolName', 'function.name']) ?? 'tool'),
    ...readId(inner, ['id', 'call_id', 'toolCallId']),
    input: parsed(first(inner, ['arguments', 'input', 'args', 'function.arguments'])),
  }
}

export function resultPart(result: Fields): Part {
  const name = first(result, ['name', 'toolName'])
  return {
    is: 'result',
    ...(typeof name === 'string' ? { name } : {}),
    ...readId(result, ['id', 'call_id', 'tool_call_id', 'tool_use_id', 'toolCallId']),
    output: parsed(first(result, ['response', 'result', 'output', 'content'])),
  }
}

function readId(fields: Fields, names: readonly string[]): { readonly id?: string } {
  const id = first(fields, names)
  return typeof id === 'string' ? { id } : {}
}

/** Describes an attachment. Only inline images and recordings are shown; nothing is fetched. */
export function mediaPart(part: Fields): Part {
  const source = holders.map((name) => part[name]).find(isFields) ?? part
  const all = { ...part, ...source }
  const link = linkIn(part) ?? linkIn(source)
  const [, inlineType] = /^data:([\w/+.-]+)/.exec(link ?? '') ?? []
  const type = mediaType(all) ?? inlineType
  const what = toText(type ?? part['modality'] ?? part['type'] ?? 'attachment')
  if (link !== undefined && !link.startsWith('data:')) return { is: 'media', what, link }
  const data = link ?? first(all, ['data', 'content', 'image', 'file_data'])
  if (typeof data !== 'string') return { is: 'other', value: part }
  const address = data.startsWith('data:') ? data : `data:${what};base64,${data}`
  const bytes = Math.floor((data.length * 3) / 4)
  return { is: 'media', what, bytes, ...playable(address) }
}

/** Parts that have their data in a field of their own. */
const holders = ['source', 'input_audio', 'audio', 'file']

const audioTypes: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

/** OpenAI names the format of a recording rather than its media type. */
function mediaType(part: Fields): unknown {
  const { format } = part
  const type = first(part, ['mime_type', 'mediaType', 'media_type', 'mimeType'])
  if (type !== undefined || typeof format !== 'string') return type
  return audioTypes[format] ?? `audio/${format}`
}

const picture = /^data:image\/(png|jpeg|gif|webp);base64,/
const recording =
  /^data:audio\/(wav|x-wav|wave|mpeg|mp3|mp4|m4a|aac|ogg|webm|flac)(;\s?codecs=[\w.]+)?;base64,/

function playable(address: string): { readonly image?: string; readonly audio?: string } {
  if (picture.test(address)) return { image: address }
  return recording.test(address) ? { audio: address } : {}
}

const linkNames = [
  'image_url',
  'image',
  'audio_url',
  'audio',
  'video_url',
  'url',
  'image.url',
  'audio.url',
  'uri',
  'fileUri',
  'file_uri',
  'file_url',
  'file_id',
]

function linkIn(part: Fields): string | undefined {
  const link = first(part, linkNames)
  const text = isFields(link) ? link['url'] : link
  return typeof text === 'string' && /^[a-z][\w+.-]*:|^file-/i.test(text) ? text : undefined
}

/** Strings as they are, other values as JSON. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The first field that is present. */
export function first(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) {
    if (fields[name] !== undefined && fields[name] !== null) return fields[name]
  }
  return undefined
}

const longestParsed = 2_000_000

/** Code that walks or serializes deeper values would exceed the stack. */
const deepestParsed = 500

/** Parses JSON in a string; other strings stay as they are. */
export function parsed(value: unknown, parse: (json: string) => unknown = JSON.parse): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > longestParsed)
    return value
  try {
    const read = parse(value)
    return isTooDeep(value) ? value : read
  } catch {
    return value
  }
}

function isTooDeep(json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > deepestParsed) return true
  }
  return false
}
