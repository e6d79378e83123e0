import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { startFakeProvider } from '../fake-provider.ts'
import { type Client, clients } from './clients.ts'
import { commandOf, run } from './commands.ts'
import { type SetUp, setUps } from './set-ups.ts'

/*
 * Records requests of real clients, for the tests of the OTLP decoder and of the conventions. The clients of
 * clients.ts run in this process and export as JSON and as gzipped protobuf; those of set-ups.ts run in separate
 * processes, configured by OpenTelemetry's environment variables. Bodies are stored unchanged, with their headers.
 *
 *   node e2e/record/record-fixtures.ts <folder of Python environments> [name...]
 */

const fixtures = join(import.meta.dirname, '../../server/src/features/ingest-otlp/fixtures')
const [environments = '', ...names] = process.argv.slice(2)
const isWanted = ({ name }: { readonly name: string }) => names.length === 0 || names.includes(name)

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const provider = await startFakeProvider()
for (const client of clients.filter(isWanted)) await recordHere(client)
for (const setUp of setUps.filter(isWanted)) await recordInProcess(setUp)
await provider.close()

async function recordHere(client: Client): Promise<void> {
  const collector = await startCollector()
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
  keep(client.name, await collector.close(), 2)
}

async function recordInProcess(setUp: SetUp): Promise<void> {
  const collector = await startCollector()
  const folder = mkdtempSync(join(tmpdir(), 'recording-'))
  const { command, args, argv0 } = await commandOf(setUp, environments)
  // Nothing of this machine may appear in a recording: neither variables nor paths.
  const env = {
    HOME: folder,
    PATH: '/usr/bin:/bin',
    NODE_OPTIONS: '--stack-trace-limit=0',
    PYTHONDONTWRITEBYTECODE: '1',
    MODEL_URL: provider.url,
    ROOT_URL: provider.url.replace('/v1', ''),
    OTEL_SERVICE_NAME: `recorded-${setUp.name}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // Langfuse's own variables.
    LANGFUSE_BASE_URL: collector.url,
    LANGFUSE_PUBLIC_KEY: 'pk-lf-recording',
    LANGFUSE_SECRET_KEY: 'a key',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tracing-key=a%20key',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    ...setUp.env,
  }
  try {
    const scripts = join(import.meta.dirname, setUp.language)
    const cwd = setUp.recordsPaths === true ? scripts : folder
    const code = await run(command, args, { cwd, env, argv0 })
    if (code !== 0) throw new Error(`${setUp.name} exited with code ${code}`)
    keepJoined(setUp.name, await collector.close())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function keep(name: string, requests: readonly Received[], expected: number): void {
  if (requests.length !== expected) throw new Error(`${name} sent ${requests.length} requests`)
  for (const { headers, body } of requests) {
    const form = headers['content-type'] === 'application/json' ? 'json' : 'pb.gz'
    const path = join(fixtures, `${name}.${form}`)
    writeFileSync(path, body)
    writeFileSync(`${path}.headers.json`, `${JSON.stringify(recordable(headers), null, 2)}\n`)
  }
}

/** Clients that cannot be made to send everything at once: protobuf messages in a row are one message. */
function keepJoined(name: string, requests: readonly Received[]): void {
  if (requests.length === 0) throw new Error(`${name} sent nothing`)
  const bySignal = Map.groupBy(requests, ({ signal }) => signal)
  for (const [signal, [first, ...others]] of bySignal) {
    if (first === undefined) continue
    const form = first.headers['content-type'] === 'application/json' ? 'json' : 'pb'
    const path = join(fixtures, `${name}.${signal === 'traces' ? form : 'logs'}.gz`)
    if (form === 'json' && others.length > 0) throw new Error(`${name} sent several JSON requests`)
    const joined = Buffer.concat([first, ...others].map(inflated))
    const body =
      form === 'pb' && others.length === 0 && first.headers['content-encoding'] === 'gzip'
        ? first.body
        : gzipSync(form === 'pb' ? joined : withoutPaths(joined.toString()))
    writeFileSync(path, body)
    const headers = { ...recordable(first.headers), 'content-encoding': 'gzip' }
    writeFileSync(`${path}.headers.json`, `${JSON.stringify(headers, null, 2)}\n`)
  }
}

/** Agents in a terminal name their folders in prompts; in JSON they can be replaced. */
function withoutPaths(json: string): string {
  return json.replaceAll(/\/(?:home|root|tmp|Users|work|private)\/[^\s"'`)<\\]*/g, '/srv/folder')
}

function inflated({ headers, body }: Received): Buffer {
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

interface Received {
  readonly signal: 'traces' | 'logs'
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Without keys and headers that differ between runs. */
function recordable({
  host: _host,
  authorization: _authorization,
  'content-length': _length,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers
}

/** Accepts all signals and records traces and logs. */
async function startCollector() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const signal = /\/v1\/(traces|logs)$/.exec(request.url ?? '')?.[1]
      if (signal === 'traces' || signal === 'logs') {
        received.push({ signal, headers: request.headers, body: Buffer.concat(chunks) })
      }
      const type = request.headers['content-type'] ?? ''
      response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close(): Promise<readonly Received[]> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      return received
    },
  }
}
