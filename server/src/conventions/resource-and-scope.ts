import { emptyObject, type JsonText, toStorableText } from '../domain/json-text.ts'
import { attributesJson, textJson } from './attribute-json.ts'
import { firstText } from './attribute-reading.ts'
import type { DecodedResource, SpanGroup } from './decoded-span.ts'
import { identityKeys, readIdentity } from './identity.ts'

/*
 * The resource and the instrumentation scope, which apply to all their spans.
 */

export interface ResourceAndScope {
  readonly service: string | undefined
  readonly environment: string | undefined
  readonly sessionId: string | undefined
  readonly userId: string | undefined
  /** The instrumentation, which is most specific; the SDK where the scope has no name. */
  readonly sdk: string | undefined
  /** The name of the scope. */
  readonly scopeName: string
  readonly resource: JsonText
  readonly scope: JsonText
}

export function readResourceAndScope({
  resource,
  scope,
}: Pick<SpanGroup, 'resource' | 'scope'>): ResourceAndScope {
  let ofResource = known.get(resource)
  if (ofResource === undefined) {
    ofResource = readResource(resource)
    known.set(resource, ofResource)
  }
  return {
    ...ofResource,
    scopeName: scope.name,
    sdk: scope.name === '' ? ofResource.sdk : joinWords([scope.name, scope.version]),
    scope: resourceJson(scope, [
      ['name', scope.name],
      ['version', scope.version],
    ]),
  }
}

type OfResource = Omit<ResourceAndScope, 'scopeName' | 'scope'>

/** A resource of megabytes may have hundred thousands of scopes. */
const known = new WeakMap<DecodedResource, OfResource>()

function readResource(resource: DecodedResource): OfResource {
  const { attributes } = resource
  const { environment, sessionId, userId } = readIdentity(attributes)
  return {
    service: firstText(attributes, identityKeys.service),
    environment,
    sessionId,
    userId,
    sdk: joinWords(identityKeys.sdk.map((key) => firstText(attributes, [key]))),
    resource: resourceJson(resource, []),
  }
}

function joinWords(words: readonly (string | undefined)[]): string | undefined {
  const joined = words.filter((word) => word !== undefined && word !== '').join(' ')
  return joined === '' ? undefined : toStorableText(joined)
}

/** Everything reported, so that it can be interpreted again when the conventions change. */
function resourceJson(
  { attributes, droppedAttributesCount, schemaUrl }: DecodedResource,
  texts: readonly (readonly [string, string])[],
): JsonText {
  const members = [...texts, ['schema_url', schemaUrl] as const]
    .filter(([, text]) => text !== '')
    .map(([member, text]) => `"${member}":${textJson(text)}`)
  if (attributes.size > 0) members.push(`"attributes":${attributesJson(attributes)}`)
  if (droppedAttributesCount > 0) {
    members.push(`"dropped_attributes_count":${droppedAttributesCount}`)
  }
  return members.length === 0 ? emptyObject : (`{${members.join(',')}}` as JsonText)
}
