import { describe, expect, test } from 'vitest'
import { type Config, type Environment, readConfig, settingFacts, settings } from './config.ts'

function parseConfig(env: Environment): Config {
  const reading = readConfig(env)
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  return reading.config
}

function listProblems(env: Environment): readonly string[] {
  const reading = readConfig(env)
  return 'problems' in reading ? reading.problems : []
}

describe('an accepted value', () => {
  test.each<[string, string, Partial<Config>]>([
    ['ASSAY_HOST', '0.0.0.0', { host: '0.0.0.0', baseUrl: 'http://localhost:4600' }],
    ['ASSAY_HOST', '::', { host: '::', baseUrl: 'http://localhost:4600' }],
    ['ASSAY_HOST', '127.0.0.2', { baseUrl: 'http://localhost:4600' }],
    ['ASSAY_HOST', '10.1.2.3', { baseUrl: 'http://10.1.2.3:4600' }],
    ['ASSAY_HOST', 'fd00::1', { baseUrl: 'http://[fd00::1]:4600' }],
    ['ASSAY_PORT', '65535', { port: 65535, baseUrl: 'http://localhost:65535' }],
    ['ASSAY_PORT', '', { port: 4600 }],
    ['ASSAY_BASE_URL', 'https://assay.example.org/', { baseUrl: 'https://assay.example.org' }],
    ['ASSAY_BASE_URL', 'http://10.0.0.1:80', { baseUrl: 'http://10.0.0.1' }],
    ['ASSAY_CHAT_PORT', '4700', { chatPort: 4700, chatBaseUrl: 'http://localhost:4700' }],
    [
      'ASSAY_CHAT_BASE_URL',
      'https://chat.example.org',
      { chatPort: 4601, chatBaseUrl: 'https://chat.example.org' },
    ],
    ['ASSAY_DATA_DIR', '/var/lib/assay', { dataDir: '/var/lib/assay' }],
    ['ASSAY_SECRET', 'x'.repeat(32), { secret: 'x'.repeat(32) }],
    ['ASSAY_SECRET_PREVIOUS', 'y'.repeat(32), { secretPrevious: 'y'.repeat(32) }],
    ['ASSAY_TRUST_PROXY', '0', { trustProxy: false }],
    ['ASSAY_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['ASSAY_TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['ASSAY_LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['ASSAY_DRAIN_SECONDS', '10', { drainMs: 10_000 }],
    ['ASSAY_DRAIN_SECONDS', '', { drainMs: 0 }],
  ])('%s=%s', (name, value, expected) => {
    expect(parseConfig({ [name]: value })).toMatchObject(expected)
  })
})

describe('an invalid value is refused with one line, with the variable and what it accepts', () => {
  test.each([
    ['ASSAY_HOST', 'not a host'],
    ['ASSAY_HOST', '300.1.1.1'],
    ['ASSAY_PORT', '0'],
    ['ASSAY_CHAT_PORT', '4600'],
    ['ASSAY_CHAT_BASE_URL', 'chat.example.org'],
    ['ASSAY_MAIL_FROM', 'assay@example.org'],
    ['ASSAY_PORT', '65536'],
    ['ASSAY_PORT', '4600.5'],
    ['ASSAY_PORT', '0x10'],
    ['ASSAY_PORT', ' 4600'],
    ['ASSAY_BASE_URL', 'assay.example.org'],
    ['ASSAY_BASE_URL', 'https://assay.example.org/app'],
    ['ASSAY_BASE_URL', 'https://user@assay.example.org'],
    ['ASSAY_BASE_URL', 'ftp://assay.example.org'],
    ['ASSAY_DATABASE_URL', 'mysql://db/assay'],
    ['ASSAY_DATABASE_URL', 'postgres://'],
    ['ASSAY_SECRET', 'x'.repeat(31)],
    ['ASSAY_SECRET_PREVIOUS', 'x'.repeat(31)],
    ['ASSAY_SSO_ALLOW_NETWORKS', '10.0.0.0/8,'],
    ['ASSAY_SSO_ALLOW_NETWORKS', 'http://idp.internal'],
    ['ASSAY_MODEL_ALLOW_NETWORKS', 'http://ollama:11434'],
    ['ASSAY_PLATFORM_MODEL', 'gpt-5-mini'],
    ['ASSAY_PLATFORM_MODEL', 'acme:gpt-5-mini'],
    ['ASSAY_PLATFORM_MODEL', 'openai:'],
    ['ASSAY_PLATFORM_MODEL_API_KEY', 'two words'],
    ['ASSAY_PLATFORM_MODEL_BASE_URL', 'models.example.org'],
    ['ASSAY_PLATFORM_ALLOWANCE_USD', '-1'],
    ['ASSAY_PLATFORM_ALLOWANCE_USD', '5 USD'],
    ['ASSAY_SETUP_TOKEN', 'fifteen letters'],
    ['ASSAY_TRUST_PROXY', 'true'],
    ['ASSAY_TRUST_PROXY', '17'],
    ['ASSAY_TRUST_PROXY', '-1'],
    ['ASSAY_TRUST_PROXY', '10.0.0.0/33'],
    ['ASSAY_TRUST_PROXY', '10.0.0.0/8,'],
    ['ASSAY_TRUST_PROXY', '10.0.0.0/'],
    ['ASSAY_LOG_LEVEL', 'verbose'],
    ['ASSAY_METRICS_TOKEN', 'short'],
  ])('%s=%s', (name, value) => {
    expect(listProblems({ [name]: value })).toEqual([
      `${name} must be ${settingFacts(name).accepts}.`,
    ])
  })
})

describe('the platform model', () => {
  test('is absent by default', () => {
    expect(parseConfig({}).platformModel).toBeUndefined()
  })

  test('has a provider, a name that may contain colons, and an allowance', () => {
    const given = {
      ASSAY_PLATFORM_MODEL: 'openai-compatible:qwen3:8b',
      ASSAY_PLATFORM_MODEL_BASE_URL: 'http://gpu.internal:8000/v1/',
    }
    expect(parseConfig(given).platformModel).toEqual({
      ...{ provider: 'openai-compatible', model: 'qwen3:8b', apiKey: null },
      ...{ baseUrl: 'http://gpu.internal:8000/v1', allowanceUsd: 5 },
    })
    const free = parseConfig({ ...given, ASSAY_PLATFORM_ALLOWANCE_USD: '0.5' })
    expect(free.platformModel?.allowanceUsd).toBe(0.5)
  })

  test.each([
    ['ASSAY_PLATFORM_MODEL_API_KEY', { ASSAY_PLATFORM_MODEL: 'openai:gpt-5-mini' }],
    ['ASSAY_PLATFORM_MODEL_BASE_URL', { ASSAY_PLATFORM_MODEL: 'openai-compatible:qwen3' }],
  ])('stops the start without %s where its provider requires one', (name, given) => {
    expect(listProblems(given)).toEqual([
      `${name} is not set: it must be ${settingFacts(name).accepts}.`,
    ])
  })
})

test.each([
  ['ASSAY_PLATFORM_MODEL_API_KEY', 'sk-of-the-operator'],
  ['ASSAY_PLATFORM_MODEL_BASE_URL', 'https://models.example.org/v1'],
])('%s without ASSAY_PLATFORM_MODEL stops the start instead of being ignored', (name, value) => {
  const [problem, ...others] = listProblems({ [name]: value })
  expect(problem).toBe(`${name} must be ${settingFacts(name).accepts}.`)
  expect(problem).toContain('with ASSAY_PLATFORM_MODEL;')
  expect(problem).not.toContain(value)
  expect(others).toEqual([])
})

describe('models of organizations', () => {
  const allowed = (given: Record<string, string>) => {
    const { modelAllowed } = parseConfig(given)
    return ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'].filter(modelAllowed.hasAddress)
  }

  test('may be on this machine while only this machine can reach the service', () => {
    expect(allowed({})).toEqual(['127.0.0.1', '::1'])
    expect(allowed({ ASSAY_HOST: 'localhost' })).toEqual(['127.0.0.1', '::1'])
  })

  test.each([
    { ASSAY_HOST: '0.0.0.0' },
    { ASSAY_HOST: '192.0.2.1' },
    { ASSAY_BASE_URL: 'https://assay.example.org' },
    { ASSAY_CHAT_BASE_URL: 'https://chat.example.org' },
    { ASSAY_TRUST_PROXY: '1' },
  ])('may not be in a private network on a shared service: %j', (given) => {
    expect(allowed(given)).toEqual([])
  })

  test('may be where the operator allows it, and only there', () => {
    expect(allowed({ ASSAY_MODEL_ALLOW_NETWORKS: '10.0.0.0/8' })).toEqual(['10.0.0.1'])
  })
})

/** Addresses with user names and passwords that are not encoded, some of which would be hosts. */
const rests = [
  ...['u:pa@Tr0ub4dor/x@db:7432/a', 'u:pa@Tr0ub4dor@db/a', 'u@home:Tr0ub4dor@db/a'],
  ...['u:12/Tr0ub4dor@db/a', 'u:12?Tr0ub4dor@db/a', 'u:12#Tr0ub4dor@db/a'],
  ...['u:pa@Tr0ub4dor?x@db/a', 'u:pa@Tr0ub4dor#x@db/a', 'u:pa/Tr0ub4dor@db/a'],
]

test.each([
  ['ASSAY_DATABASE_URL', 'postgres://u:pa@Tr0ub4dor/x@127.0.0.1:7432/assay'],
  ['ASSAY_CLICKHOUSE_URL', 'http://ch:8123, http://u:pa@Tr0ub4dor/x@127.0.0.1:8123/assay'],
])('%s with a password that is not encoded is refused, without any part of it', (name, value) => {
  const env = { ASSAY_DATABASE_URL: 'postgres://db/a', ASSAY_SECRET: 'x'.repeat(32) }
  const [problem, ...others] = listProblems({ ...env, [name]: value })
  expect(problem).toContain(
    'in user name and password, @ is written as %40, / as %2F, # as %23, ? as %3F and % as %25;',
  )
  expect(problem).not.toMatch(/pa@|Tr0ub4dor|127/)
  expect(others).toEqual([])
})

describe('PostgreSQL', () => {
  const url = 'postgres://u:p%40ss@db:5432/a'

  test('requires a configured master secret, because the data folder may be temporary', () => {
    expect(listProblems({ ASSAY_DATABASE_URL: url })).toEqual([
      `ASSAY_SECRET is not set: it must be ${settingFacts('ASSAY_SECRET').accepts}.`,
    ])
    const config = parseConfig({ ASSAY_DATABASE_URL: url, ASSAY_SECRET: 'x'.repeat(32) })
    expect(config.databaseUrl).toBe(url)
  })

  test('may have spaces around its address, and one in a password', () => {
    const given = {
      ASSAY_DATABASE_URL: ` postgres://u:p ss@db/a\t\n`,
      ASSAY_SECRET: 'x'.repeat(32),
    }
    expect(parseConfig(given).databaseUrl).toBe('postgres://u:p%20ss@db/a')
  })

  test.each([
    ...['sqlite:///data/assay.db', 'file:assay.db', 'http://db:8123', 'db/assay', ' '],
    ...['postgres://u:50%off@db/a', 'postgres://u%:p@db/a', 'postgres://u:%ff@db/a'],
    ...rests.map((rest) => `postgres://${rest}`),
  ])('ASSAY_DATABASE_URL=%s stops the start', (url) => {
    const problems = listProblems({ ASSAY_DATABASE_URL: url, ASSAY_SECRET: 'x'.repeat(32) })
    expect(problems).toEqual([
      `ASSAY_DATABASE_URL must be ${settingFacts('ASSAY_DATABASE_URL').accepts}.`,
    ])
  })
})

describe('ClickHouse', () => {
  const accounts = { ASSAY_DATABASE_URL: 'postgres://db/a', ASSAY_SECRET: 'x'.repeat(32) }

  test.each([
    ['http://ch:8123', 'http://ch:8123/', 'assay'],
    ['https://u:p%40ss@ch:8443/', 'https://u:p%40ss@ch:8443/', 'assay'],
    ['http://ch:8123/traces_1', 'http://ch:8123/', 'traces_1'],
  ])('at %s is an address and a database', (given, url, database) => {
    const config = parseConfig({ ...accounts, ASSAY_CLICKHOUSE_URL: given })
    expect(config.clickHouse).toEqual([{ url, database, cluster: undefined }])
  })

  test('has several addresses, also with commas in passwords', () => {
    const given = 'http://u:a,b@one:8123, http://two:8123/traces,https://two:8123/other'
    const config = parseConfig({ ...accounts, ASSAY_CLICKHOUSE_URL: given })
    expect(config.clickHouse?.map(({ url, database }) => [url, database])).toEqual([
      ['http://u:a,b@one:8123/', 'assay'],
      ['http://two:8123/', 'traces'],
      ['https://two:8123/', 'other'],
    ])
  })

  test.each([
    ...['clickhouse:8123', 'tcp://ch:9000', 'http://', 'http://ch:8123/a/b', 'http://ch/a-b'],
    ...['http://ch:8123/?database=a', 'http://ch:8123/#a', ' ', 'http://a,b', 'http://a,,http://b'],
    ...['http://u:50%off@ch:8123', 'http://u%:p@ch:8123', 'http://ch:8123,http://u:%ff@two:8123'],
    ...['http://ch:8123,http://u:p@ch:8123/assay', 'http://a,'],
    ...rests.flatMap((rest) => [`http://${rest}`, `http://ch:8123,https://${rest}`]),
  ])('at %s stops the start', (url) => {
    expect(listProblems({ ...accounts, ASSAY_CLICKHOUSE_URL: url })).toEqual([
      `ASSAY_CLICKHOUSE_URL must be ${settingFacts('ASSAY_CLICKHOUSE_URL').accepts}.`,
    ])
  })

  test('needs PostgreSQL, through which its processes share what is not telemetry', () => {
    expect(listProblems({ ASSAY_CLICKHOUSE_URL: 'http://ch:8123' })).toEqual([
      `ASSAY_DATABASE_URL is not set: it must be ${settingFacts('ASSAY_DATABASE_URL').accepts}.`,
    ])
  })

  test('has a cluster only with an address', () => {
    const cluster = { ...accounts, ASSAY_CLICKHOUSE_CLUSTER: 'main' }
    expect(listProblems(cluster)).toEqual([
      `ASSAY_CLICKHOUSE_CLUSTER must be ${settingFacts('ASSAY_CLICKHOUSE_CLUSTER').accepts}.`,
    ])
    const config = parseConfig({ ...cluster, ASSAY_CLICKHOUSE_URL: 'http://ch:8123' })
    expect(config.clickHouse?.map(({ cluster }) => cluster)).toEqual(['main'])
    const injected = { ...cluster, ASSAY_CLICKHOUSE_CLUSTER: "a' ENGINE" }
    expect(listProblems({ ...injected, ASSAY_CLICKHOUSE_URL: 'http://ch:8123' })).toHaveLength(1)
  })
})
describe('reading the settings', () => {
  test('reports all invalid settings at once, without their values', () => {
    const problems = listProblems({
      ASSAY_PORT: 'secret-1',
      ASSAY_SETUP_TOKEN: 'secret-2',
      ASSAY_DATABASE_URL: 'mysql://user:secret-3@db/assay',
      ASSAY_LOG_LEVEL: 'info',
    })
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'ASSAY_PORT',
      'ASSAY_DATABASE_URL',
      'ASSAY_SETUP_TOKEN',
    ])
    expect(problems.join('\n')).not.toContain('secret-')
  })

  test('requires a mail server and a sender together', () => {
    const smtpUrl = 'smtps://user:p%40ss@mail.example.org:465'
    const from = 'Assay <assay@example.org>'
    expect(parseConfig({ ASSAY_SMTP_URL: smtpUrl, ASSAY_MAIL_FROM: from }).mail).toEqual({
      smtpUrl,
      from,
    })
    expect(parseConfig({}).mail).toBeUndefined()
    const needsSender = [
      expect.stringMatching(/^ASSAY_MAIL_FROM is not set: it must be an address/),
    ]
    expect(listProblems({ ASSAY_SMTP_URL: smtpUrl })).toEqual(needsSender)
    const wrong: readonly (readonly [string, string, string])[] = [
      ['https://mail.example.org', from, 'ASSAY_SMTP_URL'],
      ['mail.example.org:25', from, 'ASSAY_SMTP_URL'],
      ['smtps://user:p@ss@mail.example.org', from, 'ASSAY_SMTP_URL'],
      [smtpUrl, 'Assay', 'ASSAY_MAIL_FROM'],
      [smtpUrl, 'assay@example.org\r\nBcc: eve@evil.example', 'ASSAY_MAIL_FROM'],
    ]
    for (const [url, sender, name] of wrong) {
      const problems = listProblems({ ASSAY_SMTP_URL: url, ASSAY_MAIL_FROM: sender })
      expect(problems.map((line) => line.split(' ')[0])).toEqual([name])
    }
  })

  test('returns exactly the unknown ASSAY_ variables', () => {
    const reading = readConfig({
      ASSAY_PROT: '4600',
      ASSAY_PORT: '4700',
      ASSAY_TEST_DATABASE_URL: 'postgres://db/test',
      PATH: '/bin',
    })
    expect(reading).toMatchObject({
      config: { port: 4700 },
      unknown: ['ASSAY_PROT is not a setting of Assay.'],
    })
  })

  test('reports a misspelled name with the setting that is missing because of it', () => {
    const problems = listProblems({
      ASSAY_DATABSE_URL: 'postgres://db/assay',
      ASSAY_CLICKHOUSE_URL: 'http://clickhouse:8123',
      ASSAY_SECRET: 'x'.repeat(32),
    })
    expect(problems).toEqual([
      expect.stringContaining('ASSAY_DATABASE_URL is not set'),
      'ASSAY_DATABSE_URL is not a setting of Assay.',
    ])
  })

  test('returns a frozen configuration', () => {
    expect(Object.isFrozen(parseConfig({}))).toBe(true)
  })

  test('has help, an accepted form and a stated default for every setting', () => {
    for (const name of Object.keys(settings.shape)) {
      expect(settingFacts(name), name).toEqual({
        help: expect.stringMatching(/\.$/),
        accepts: expect.any(String),
        fallback: expect.any(String),
      })
    }
  })

  test('uses the defaults that the facts state', () => {
    const config = parseConfig({})
    expect(String(config.port)).toBe(settingFacts('ASSAY_PORT').fallback)
    expect(config.host).toBe(settingFacts('ASSAY_HOST').fallback)
    expect(config.logLevel).toBe(settingFacts('ASSAY_LOG_LEVEL').fallback)
    expect(config).toMatchObject({ trustProxy: false, databaseUrl: undefined })
  })
})
