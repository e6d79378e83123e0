import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { startStandInProvider } from '../stand-in-provider.ts'
import { clients } from './clients.ts'

/*
 * Records what real clients send, for the tests of the OTLP decoder: each client runs once, and its spans go
 * out over the exporter for JSON and over the one for protobuf with gzip. Bodies are kept as they came,
 * with their headers beside them.
 *
 *   node e2e/record/record-fixtures.ts
 */

const folder = join(import.meta.dirname, '../../server/src/features/ingest-otlp/fixtures')

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const provider = await startStandInProvider()
for (const client of clients) await record(client)
await provider.close()

async function record(client: (typeof clients)[number]): Promise<void> {
  const requests: Received[] = []
  const collector = await startCollector((request) => requests.push(request))
  const headers = { 'x-tracing-key': 'a key' }
  const url = `${collector.url}/v1/traces`
  const spans = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': `recorded-${client.name}` }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new JsonExporter({ url, headers }) }),
      new BatchSpanProcessor({
        exporter: new ProtobufExporter({ url, headers, compression: CompressionAlgorithm.GZIP }),
      }),
    ],
  })
  await client.run(spans, provider.url)
  await spans.forceFlush()
  await spans.shutdown()
  await collector.close()
  if (requests.length !== 2) throw new Error(`${client.name} sent ${requests.length} requests`)
  for (const { headers, body } of requests) {
    const form = headers['content-type'] === 'application/json' ? 'json' : 'pb.gz'
    const path = join(folder, `${client.name}.${form}`)
    writeFileSync(path, body)
    writeFileSync(`${path}.headers.json`, `${JSON.stringify(recordable(headers), null, 2)}\n`)
  }
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Without what differs from one run to the next. */
function recordable({ host: _host, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers
}

async function startCollector(receive: (request: Received) => void) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receive({ headers: request.headers, body: Buffer.concat(chunks) })
      const type = request.headers['content-type'] ?? ''
      response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
