import { limits } from '@assay/contract/limits.ts'
import type { DecodedGroup } from '../../../conventions/decoded-signals.ts'
import type { DecodedResource, DecodedScope } from '../../../conventions/decoded-span.ts'
import { Failure } from '../../../platform/failure.ts'
import { scanJson } from '../../../platform/json-scan.ts'
import { maxValueDepth } from './bounds.ts'
import {
  isObject,
  type JsonObject,
  parseArray,
  parseCount,
  parseObject,
  parseText,
  ShapeError,
} from './json-shapes.ts'
import { type Cut, parseAttributes } from './json-values.ts'
import type { Problems } from './problems.ts'

/*
 * The common structure of the requests of all signals in OTLP's JSON form: items within scopes within resources.
 */

/** The member names of a signal's request. */
export interface JsonNames {
  readonly resources: string
  readonly scopes: string
  /** The member name of scopes before OTLP 0.15, when a scope was an instrumentation library. */
  readonly oldScopes: string
  readonly items: string
}

/**
 * Throws VALIDATION_ERROR for a malformed request. `readItem` returns undefined for items that are not stored.
 */
export function readJsonRequest<Item>(
  bytes: Uint8Array,
  names: JsonNames,
  problems: Problems,
  readItem: (item: unknown) => Item | undefined,
): DecodedGroup<Item>[] {
  const request = parsed(bytes)
  if (!isObject(request)) throw refused('it is not an object')
  warnOnUnknownKeys(request, names, problems)
  try {
    return parseGroups(request, names, problems, readItem)
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause
    throw refused(cause.message)
  }
}

function refused(reason: string): Failure {
  return new Failure('VALIDATION_ERROR', `The body is not OTLP JSON: ${reason}.`)
}

// Each level of an attribute value takes three in this encoding, and the surrounding request takes sixteen.
const maxDepth = 3 * maxValueDepth + 20

function parsed(bytes: Uint8Array): unknown {
  const maxContainers = limits.jsonContainers.value
  const scan = scanJson(bytes, { maxDepth, maxContainers })
  if (scan === 'too-deep') throw refused(`it nests deeper than ${maxDepth} levels`)
  if (scan === 'too-many') throw refused(`it has more than ${maxContainers} objects and arrays`)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    // The parser's message quotes the body; only its position may be exposed.
    const position = /at position (\d+)/.exec((cause as Error).message)?.[1]
    throw refused(position === undefined ? 'it cannot be parsed' : `syntax error at ${position}`)
  }
}

/**
 * Bytes that are not UTF-8 become U+FFFD, as in protobuf: text cut in the middle of a character must not
 * reject a batch.
 */
const utf8 = new TextDecoder()

const signals: readonly (readonly [key: string, signal: string])[] = [
  ['resourceSpans', 'traces'],
  ['resourceMetrics', 'metrics'],
  ['resourceLogs', 'logs'],
]

function warnOnUnknownKeys(
  request: JsonObject,
  { resources }: JsonNames,
  { warnRequest }: Problems,
): void {
  if (request[resources] !== undefined) return
  const other = signals.find(([key]) => request[key] !== undefined)
  if (request[snakeCase(resources)] !== undefined) {
    warnRequest(
      `Nothing was stored: keys of OTLP JSON are in lowerCamelCase, ${resources} and so on.`,
    )
  } else if (other !== undefined) {
    const own = signals.find(([key]) => key === resources)
    warnRequest(`Nothing was stored: these are ${other[1]}, sent to the address of ${own?.[1]}.`)
  } else if (Object.keys(request).length > 0) {
    warnRequest(`Nothing was stored: the body has no ${resources}.`)
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/, (capital) => `_${capital.toLowerCase()}`)
}

function parseGroups<Item>(
  request: JsonObject,
  names: JsonNames,
  problems: Problems,
  readItem: (item: unknown) => Item | undefined,
): DecodedGroup<Item>[] {
  const groups: DecodedGroup<Item>[] = []
  for (const item of parseArray(request[names.resources], names.resources)) {
    const inResource = parseObject(item, `an item of ${names.resources}`)
    const resource = parseResource(inResource)
    const scopes = inResource[names.scopes]
    const misspelled = snakeCase(names.scopes)
    if (scopes === undefined && inResource[misspelled] !== undefined) {
      problems.warnRequest(`Keys of OTLP JSON are in lowerCamelCase: ${misspelled} was ignored.`)
    }
    for (const inner of parseArray(scopes ?? inResource[names.oldScopes], names.scopes)) {
      const inScope = parseObject(inner, `an item of ${names.scopes}`)
      const items: Item[] = []
      for (const each of parseArray(inScope[names.items], names.items)) {
        const read = readItem(each)
        if (read !== undefined) items.push(read)
      }
      const scope = parseScope(inScope)
      // A request may have a million empty scopes.
      if (items.length > 0) groups.push({ resource, scope, items })
    }
  }
  return groups
}

const unwarned: Cut = { isCut: false }

function parseResource({ resource, schemaUrl }: JsonObject): DecodedResource {
  const { attributes, droppedAttributesCount } = parseObject(resource, 'resource')
  return {
    attributes: parseAttributes(attributes, 'resource.attributes', unwarned),
    droppedAttributesCount: parseCount(droppedAttributesCount),
    schemaUrl: parseText(schemaUrl, 'schemaUrl'),
  }
}

function parseScope({ scope, instrumentationLibrary, schemaUrl }: JsonObject): DecodedScope {
  const scopeObject = parseObject(scope ?? instrumentationLibrary, 'scope')
  return {
    name: parseText(scopeObject['name'], 'scope.name'),
    version: parseText(scopeObject['version'], 'scope.version'),
    attributes: parseAttributes(scopeObject['attributes'], 'scope.attributes', unwarned),
    droppedAttributesCount: parseCount(scopeObject['droppedAttributesCount']),
    schemaUrl: parseText(schemaUrl, 'schemaUrl'),
  }
}
