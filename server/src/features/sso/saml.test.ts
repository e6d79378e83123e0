import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { addresses, exchange, state } from '../../../test/saml-exchange.ts'
import { deriveRequestId } from './flow.ts'
import { samlRequestUrl } from './saml.ts'
import { samlMetadata } from './saml-metadata.ts'

describe('a request', () => {
  test('has the service, the callback and an id derived from the state', async () => {
    const url = new URL(await samlRequestUrl(exchange))
    expect(url.origin + url.pathname).toBe('https://idp.corp.test/sso')
    expect(url.searchParams.get('tenant')).toBe('1')
    expect(url.searchParams.get('RelayState')).toBe(state)
    const request = inflateRawSync(
      Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString()
    expect(request).toContain(`ID="${deriveRequestId(state)}"`)
    expect(request).toContain(`AssertionConsumerServiceURL="${addresses.samlConsumer}"`)
    expect(request).toContain(`>${addresses.samlEntityId}<`)
    expect(request).toContain('Destination="https://idp.corp.test/sso?tenant=1"')
  })

  test('matches the metadata', () => {
    const metadata = samlMetadata(addresses)
    expect(metadata).toContain(`entityID="${addresses.samlEntityId}"`)
    expect(metadata).toContain(`Location="${addresses.samlConsumer}"`)
  })
})
