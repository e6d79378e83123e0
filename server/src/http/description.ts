import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { openApiDocument } from '@assay/contract/openapi.ts'
import type { FastifyInstance } from 'fastify'
import { composeOnce, sendAsset } from './assets.ts'
import { docsPage, docsPagePolicy } from './docs-page.ts'

/** Serves the OpenAPI document of the endpoints, and the page for people. */
export function serveDescription(
  server: FastifyInstance,
  endpoints: readonly AnyEndpoint[],
  baseUrl: string,
): void {
  const description = composeOnce('application/json; charset=utf-8', () =>
    Buffer.from(JSON.stringify(openApiDocument(endpoints, `${baseUrl}/api/v1`))),
  )
  server.get('/api/v1/openapi.json', (request, reply) => sendAsset(request, reply, description))
  const page = composeOnce('text/html; charset=utf-8', () => Buffer.from(docsPage(endpoints)))
  const headers = { 'content-security-policy': docsPagePolicy, 'cache-control': 'no-cache' }
  server.get('/docs', (request, reply) => sendAsset(request, reply.headers(headers), page))
}
