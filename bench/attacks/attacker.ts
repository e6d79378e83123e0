import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setPriority } from 'node:os'
import { buildPath } from '@assay/contract/client.ts'
import type { AnyEndpoint, Body } from '@assay/contract/endpoint.ts'
import type { Attack, AttackRequest, Target } from './attack.ts'
import { attacks } from './attacks.ts'

/*
 * Runs one attack in its own process: `node bench/attacks/attacker.ts <plan as JSON>` prints the outcome.
 */

export interface AttackPlan {
  readonly name: string
  readonly target: Target
  readonly seconds: number
}

/** How many requests ended with each status; `closed` are those without a complete response. */
export type AttackOutcome = Readonly<Record<string, number>>

/** Of the smallest requests: what a server reads at once from a connection. */
const oneChunk = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2300)

if (process.argv[2] !== undefined) {
  const plan = JSON.parse(process.argv[2]) as AttackPlan
  const attack = attacks.find(({ name }) => name === plan.name)
  if (attack === undefined) throw new Error(`no attack is called ${plan.name}`)
  // Attackers have computers of their own: theirs must not take the processor from the service.
  setPriority(10)
  const run = await prepareAttack(attack, plan.target)
  process.send?.('ready')
  console.log(JSON.stringify(await run(plan.seconds)))
  process.exit()
}

async function prepareAttack(attack: Attack, target: Target) {
  const requests = await attack.requests(target)
  return async (seconds: number): Promise<AttackOutcome> => {
    const outcome: Record<string, number> = {}
    // Not AbortSignal.timeout: its timer does not keep a process running whose connections are all stalled.
    const end = new AbortController()
    const ending = end.signal
    setTimeout(() => end.abort(), seconds * 1000)
    const agent = new Agent({ keepAlive: true })
    let next = 0
    const attackInTurn = async () => {
      while (!ending.aborted) {
        const n = next++
        const endpoint = attack.endpoints[n % attack.endpoints.length] as AnyEndpoint
        const sent = startRequest(attack, target, endpoint, requests(n, endpoint), agent)
        const status = await behave(sent, attack.client, ending)
        if (!ending.aborted) outcome[status] = (outcome[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: attack.connections }, attackInTurn))
    agent.destroy()
    return outcome
  }
}

/** The statuses of the first requests of an attack, one after the other. */
export async function tryAttack(attack: Attack, target: Target): Promise<number[]> {
  const requests = await attack.requests(target)
  const statuses: number[] = []
  for (const n of attack.responds.keys()) {
    const endpoint = attack.endpoints[n % attack.endpoints.length] as AnyEndpoint
    statuses.push(await readStatus(startRequest(attack, target, endpoint, requests(n, endpoint))))
  }
  return statuses
}

function readStatus({ sent, body }: Started): Promise<number> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', ({ statusCode = 0 }) => {
      sent.destroy()
      resolve(statusCode)
    })
    sent.end(body)
  })
}

interface Started {
  readonly sent: ClientRequest
  readonly body: Uint8Array | undefined
}

function startRequest(
  attack: Attack,
  { api, chatApi, organizationId, projectId, credentials }: Target,
  endpoint: AnyEndpoint,
  { params, query, headers, body }: AttackRequest,
  agent?: Agent,
): Started {
  const path = buildPath(endpoint, { orgId: organizationId, projectId, ...params }, query)
  const bytes = toBytes(body)
  const sent = request((endpoint.product === 'chat' ? chatApi : api) + path, {
    method: endpoint.method,
    ...(agent && { agent }),
    headers: {
      ...credentials[attack.by],
      ...(bytes && { ...contentType(endpoint), 'content-length': bytes.byteLength }),
      ...headers,
    },
  })
  return { sent, body: bytes }
}

function toBytes(body: AttackRequest['body']): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function contentType({ body }: AnyEndpoint) {
  const declared: Body | undefined = body
  const isForm = declared?.as === 'form'
  return { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }
}

/** Resolves with the status, or `closed`, when the connection can send the next request. */
function behave(
  { sent, body }: Started,
  client: Attack['client'],
  ending: AbortSignal,
): Promise<string> {
  return new Promise((resolve) => {
    let status = 'closed'
    const stop = () => sent.destroy()
    ending.addEventListener('abort', stop, { once: true })
    const finish = () => {
      ending.removeEventListener('abort', stop)
      resolve(status)
    }
    sent.on('error', () => undefined)
    sent.on('close', finish)
    sent.on('response', (response: IncomingMessage) => {
      response.on('error', () => undefined)
      status = String(response.statusCode)
      // A refusal is read, so that the connection is free for the next request.
      if (client !== 'stalls' || response.statusCode !== 200) response.resume()
    })
    if (client === 'unfinished') sent.write(body?.subarray(0, -1))
    else if (client === 'pipelines') sent.end(body, () => sent.socket?.write(oneChunk))
    else sent.end(body, () => client === 'leaves' && setImmediate(stop))
  })
}
