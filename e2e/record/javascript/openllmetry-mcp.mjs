import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpInstrumentation } from '@traceloop/instrumentation-mcp'
import { z } from 'zod'
import { tracerProvider, weatherIn } from './conversation.mjs'

/*
 * A tool called over MCP, with OpenLLMetry's client instrumentation.
 */

const provider = tracerProvider()
const instrumentation = new McpInstrumentation()
instrumentation.setTracerProvider(provider)
instrumentation.manuallyInstrument({ Client })

const server = new McpServer({ name: 'weather', version: '1.0.0' })
server.registerTool(
  'get_weather',
  { description: 'The weather in a city, now.', inputSchema: { city: z.string() } },
  ({ city }) => ({ content: [{ type: 'text', text: JSON.stringify(weatherIn(city)) }] }),
)
const [ours, theirs] = InMemoryTransport.createLinkedPair()
await server.connect(theirs)
const client = new Client({ name: 'app', version: '1.0.0' })
await client.connect(ours)
await client.listTools()
await client.callTool({ name: 'get_weather', arguments: { city: 'Paris' } })
await client.close()
await provider.shutdown()
