import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { buildPath } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ClickHouseEngine, startClickHouse } from '../server/test/clickhouse/engine.ts'
import { execute, type PostgresServer, startPostgres } from '../server/test/postgres-server.ts'
import {
  type GuardedClickHouse,
  guardClickHouse,
  requirePassword,
  withUser,
} from './refusing-database.ts'
import {
  failedStart,
  newDataDir,
  person,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { hasScaledStores } from './scaled-stores.ts'

/*
 * The passwords of the databases while these are down and refuse them: in nothing that a process prints, logs or sends.
 */

/** With characters that are escaped in addresses. */
const postgresPassword = 'canary: 1/2%@+?#'
const clickHousePassword = 'canary, too: 1/2%@+?#'

/** Each form in which a driver may quote them. */
const forms = [postgresPassword, clickHousePassword].flatMap((password) => [
  'canary',
  Buffer.from(password).toString('base64'),
  Buffer.from(`assay:${password}`).toString('base64'),
])
const quoted = (text: string) => forms.filter((form) => text.includes(form))

const command = join(import.meta.dirname, '../server/src/command.ts')

describe.runIf(hasScaledStores())('databases with passwords (only where chdb is installed)', () => {
  let postgres: PostgresServer
  let engine: ClickHouseEngine
  let clickHouse: GuardedClickHouse
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    ;[postgres, engine] = await Promise.all([startPostgres(), startClickHouse()])
    clickHouse = await guardClickHouse(engine.url, clickHousePassword)
    env = {
      ASSAY_DATABASE_URL: await requirePassword(postgres.url, postgresPassword),
      ASSAY_CLICKHOUSE_URL: clickHouse.url,
      ASSAY_SECRET: 'a master secret that all processes share',
      ASSAY_LOG_LEVEL: 'debug',
    }
  })
  afterAll(async () => {
    await clickHouse.stop()
    await Promise.all([postgres.stop(), engine.stop()])
  })

  /** What a start and a command of operators print. */
  async function failures(changes: Readonly<Record<string, string>>): Promise<string[]> {
    const all = { ...env, ...changes }
    const { code, errors, output } = await failedStart({ env: all })
    expect([code, output]).toEqual([1, ''])
    const words = 'ASSAY_CLICKHOUSE_URL' in changes ? ['verify-cluster'] : ['user', 'list']
    return [errors, await run(words, all)]
  }

  function run(args: readonly string[], all: Readonly<Record<string, string>>): Promise<string> {
    return new Promise((resolve) => {
      const options = { env: { PATH: '', ASSAY_DATA_DIR: newDataDir(), ...all } }
      execFile(process.execPath, [command, ...args], options, (_error, output, errors) =>
        resolve(output + errors),
      )
    })
  }

  const nowhere = (address: string | undefined) =>
    (address ?? '').replace(/(127\.0\.0\.1):\d+/, '$1:1')

  test.each([
    [
      'PostgreSQL is down',
      () => ({ ASSAY_DATABASE_URL: nowhere(env['ASSAY_DATABASE_URL']) }),
      /ECONNREFUSED/,
    ],
    [
      'ClickHouse is down',
      () => ({ ASSAY_CLICKHOUSE_URL: nowhere(clickHouse.url) }),
      /ECONNREFUSED/,
    ],
    [
      'PostgreSQL refuses it',
      () => ({ ASSAY_DATABASE_URL: `${env['ASSAY_DATABASE_URL']}`.replace('canary', 'canary-2') }),
      /password authentication failed/,
    ],
    [
      'ClickHouse refuses it',
      () => ({ ASSAY_CLICKHOUSE_URL: clickHouse.url.replace('canary', 'canary-2') }),
      /refuses the user name, password or address/,
    ],
    [
      'the settings cannot be read',
      () => ({
        ASSAY_DATABASE_URL: 'postgres://assay:canary%@127.0.0.1/assay',
        ASSAY_CLICKHOUSE_URL: 'http://assay:canary%@127.0.0.1/',
      }),
      /ASSAY_DATABASE_URL[^]*ASSAY_CLICKHOUSE_URL/,
    ],
  ])('a start and a command do not print a password when %s', async (_fault, changes, reason) => {
    const printed = await failures(changes())
    expect(printed[0]).toMatch(reason)
    expect(printed.flatMap(quoted)).toEqual([])
  })

  test('a service does not log or send a password while its databases are down and refuse it, and goes on afterwards', async () => {
    const service = await runService({ env })
    onTestFinished(() => service.kill())
    const first = await setUpService(service)
    const sent: string[] = []
    expect(await request(service, first, sent)).toEqual(works)

    await Promise.all([postgres.crash(), engine.kill()])
    expect(await request(service, first, sent)).toEqual([503, 503, 503, 503, 503, 200])
    await expect.poll(service.log).toContain('ClickHouse cannot be reached')
    await expect.poll(service.log).toContain('ECONNREFUSED')

    clickHouse.password = 'another'
    await Promise.all([postgres.restart(), engine.restart()])
    await expect.poll(service.log).toContain('ClickHouse can be reached again')
    await expect.poll(() => request(service, first, sent)).toEqual([503, 503, 200, 200, 503, 200])

    const change = (from: string, to: string) =>
      execute(withUser(postgres.url, 'assay', from), `alter role assay password '${to}'`)
    await change(postgresPassword, 'another')
    await postgres.crash()
    await postgres.restart()
    await expect.poll(service.log).toContain('password authentication failed')
    expect(await request(service, first, sent)).toEqual([503, 503, 503, 503, 503, 200])

    await change('another', postgresPassword)
    clickHouse.password = clickHousePassword
    await expect.poll(() => request(service, first, sent)).toEqual(works)
    await service.stop()
    const all = [service.printed(), service.log(), ...sent]
    expect(all.flatMap(quoted)).toEqual([])
  })
})

const works = [202, 200, 200, 200, 200, 200]

/** Returns the status of each response, and adds the responses. */
async function request(
  { origin, api }: RunningService,
  { session, tracing_key, project }: SetUpService,
  sent: string[],
): Promise<readonly number[]> {
  const started_at = new Date().toISOString()
  const json = { 'content-type': 'application/json' }
  const trace = { trace_id: 't', spans: [{ span_id: 'a', name: 'a', started_at }] }
  const responses = await Promise.all([
    fetch(api + ingestTrace.path, {
      ...{ method: 'POST', headers: { ...json, 'x-tracing-key': tracing_key } },
      body: JSON.stringify(trace),
    }),
    fetch(api + buildPath(listTraces, { projectId: project.id }), { headers: session }),
    fetch(api + listOrganizations.path, { headers: session }),
    fetch(api + signIn.path, {
      ...{ method: 'POST', headers: json },
      body: JSON.stringify({ email: person.email, password: person.password }),
    }),
    fetch(`${origin}/readyz`),
    fetch(`${origin}/metrics`),
  ])
  for (const response of responses)
    sent.push(JSON.stringify([...response.headers]), await response.text())
  return responses.map(({ status }) => status)
}
