import { emptyObject, type JsonText, toStorableText } from '../domain/json-text.ts'
import { attributesJson, textJson } from './attribute-json.ts'
import { firstText } from './attribute-reading.ts'
import type { DecodedResource, DecodedScope, SpanGroup } from './decoded-span.ts'
import { identified, identityKeys } from './identity.ts'

/*
 * The resource and the instrumentation scope, which apply to all their spans.
 */

export interface ResourceAndScope {
  readonly service: string | undefined
  readonly environment: string | undefined
  readonly sessionId: string | undefined
  readonly userId: string | undefined
  readonly sdk: string | undefined
  readonly resource: JsonText
  readonly scope: JsonText
}

export function readResourceAndScope({
  resource,
  scope,
}: Pick<SpanGroup, 'resource' | 'scope'>): ResourceAndScope {
  const { attributes } = resource
  return {
    service: firstText(attributes, identityKeys.service),
    environment: firstText(attributes, identityKeys.environment),
    sessionId: identified(attributes, identityKeys.sessionId),
    userId: identified(attributes, identityKeys.userId),
    sdk: readSdk(resource, scope),
    resource: resourceJson(resource, []),
    scope: resourceJson(scope, [
      ['name', scope.name],
      ['version', scope.version],
    ]),
  }
}

/** The instrumentation, which is most specific; the SDK where the scope has no name. */
function readSdk({ attributes }: DecodedResource, { name, version }: DecodedScope) {
  const words =
    name === '' ? identityKeys.sdk.map((key) => firstText(attributes, [key])) : [name, version]
  const reported = words.filter((word) => word !== undefined && word !== '').join(' ')
  return reported === '' ? undefined : toStorableText(reported)
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
