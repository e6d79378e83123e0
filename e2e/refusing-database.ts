import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execute } from '../server/test/postgres-server.ts'

/*
 * Databases that require a password, which those of tests do not.
 */

/** Lets the server of PostgreSQL refuse other passwords from the next connection on. Returns its address with this one. */
export async function requirePassword(postgresUrl: string, password: string): Promise<string> {
  const [row] = await execute(postgresUrl, 'show hba_file')
  await execute(postgresUrl, `alter role assay password '${password}'`)
  const rule = 'host all all 127.0.0.1/32 scram-sha-256'
  await execute(postgresUrl, `copy (select '${rule}') to '${String(row?.['hba_file'])}'`)
  await execute(postgresUrl, 'select pg_reload_conf()')
  return withUser(postgresUrl, 'assay', password)
}

export interface GuardedClickHouse {
  readonly url: string
  /** What it accepts from now on. */
  password: string
  stop(): Promise<void>
}

/** In front of an engine, which knows no users. */
export async function guardClickHouse(
  engineUrl: string,
  password: string,
): Promise<GuardedClickHouse> {
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url = '/' } = incoming
    const sent = Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64')
    // Servers answer a ping of anybody.
    if (url !== '/ping' && sent.toString() !== `assay:${guard.password}`) {
      incoming.resume()
      response.writeHead(403, { 'x-clickhouse-exception-code': '516' })
      return void response.end(
        'Code: 516. DB::Exception: assay: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)',
      )
    }
    const forwarded = request(new URL(url, engineUrl), { method: method!, headers })
    incoming.pipe(forwarded)
    const [reply] = (await once(forwarded, 'response')) as [IncomingMessage]
    response.writeHead(reply.statusCode ?? 500, reply.headers)
    reply.pipe(response)
  }
  const server = createServer({ maxHeaderSize: 1_048_576 }, (incoming, response) => {
    pass(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const guard = {
    url: withUser(address, 'assay', password),
    password,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return guard
}

export function withUser(address: string, user: string, password: string): string {
  const url = new URL(address)
  url.username = user
  // The setter leaves a `%` as it is.
  url.password = encodeURIComponent(password)
  return url.href
}
