import { isFields, parsed } from '@assay/contract/message-parts.ts'
import { type JsonValue, textOf } from './canonical-json.ts'
import type { MemoryOperation, Retrieval, RetrievedItem, ViewSpan } from './trace-view.ts'

/*
 * What retrievers returned, and what was written to and read from memory.
 */

export function readRetrieval(span: ViewSpan): Retrieval {
  const input = parsed(span.input)
  const query = isFields(input) ? (input['query'] ?? input['input'] ?? input['question']) : input
  const items = listOfDocuments(parsed(span.output)).map((one, index) => toItem(one, index, span))
  return { span, query: textOf(query), items: items.filter(({ text }) => text !== '') }
}

const listNames = ['documents', 'results', 'matches', 'items', 'nodes', 'chunks']

function listOfDocuments(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output
  if (!isFields(output))
    return output === null || output === undefined || output === '' ? [] : [output]
  const name = listNames.find((one) => Array.isArray(parsed(output[one])))
  return name === undefined ? [output] : (parsed(output[name]) as unknown[])
}

const textNames = ['content', 'text', 'page_content', 'pageContent', 'body', 'snippet']
const idNames = ['id', 'document_id', 'documentId', 'source', 'url', 'title']

function toItem(value: unknown, index: number, { spanId }: ViewSpan): RetrievedItem {
  const rank = index + 1
  if (!isFields(value)) return { spanId, id: String(rank), text: textOf(value), rank }
  const inner = isFields(value['document']) ? { ...value, ...value['document'] } : value
  const text = textNames.map((name) => inner[name]).find((one) => typeof one === 'string')
  const metadata = isFields(inner['metadata']) ? inner['metadata'] : {}
  const id = [inner, metadata].flatMap((from) => idNames.map((name) => from[name])).find(isId)
  return {
    spanId,
    id: id === undefined ? String(rank) : String(id),
    text: text ?? textOf(value),
    rank,
  }
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

const readNames = new Set(['read', 'get', 'search', 'recall', 'retrieve', 'load'])
const writeNames = new Set(['write', 'set', 'add', 'put', 'save', 'store', 'update'])

/** Undefined for a span whose operation is unknown. */
export function readMemoryOperation(span: ViewSpan): MemoryOperation | undefined {
  const input = parsed(span.input)
  const output = parsed(span.output)
  const fields = isFields(input) ? input : {}
  const named = textOf(
    fields['operation'] ?? span.attributes['gen_ai.memory.operation'] ?? span.name,
  )
  const word = named
    .toLowerCase()
    .split(/[^a-z]+/)
    .find((one) => readNames.has(one) || writeNames.has(one))
  if (word === undefined) return undefined
  const key = textOf(fields['key'] ?? fields['query'] ?? fields['id'])
  if (writeNames.has(word)) {
    return { span, operation: 'write', key, value: (fields['value'] ?? null) as JsonValue }
  }
  const value = isFields(output) && 'value' in output ? output['value'] : output
  return { span, operation: 'read', key, value: (value ?? null) as JsonValue }
}
